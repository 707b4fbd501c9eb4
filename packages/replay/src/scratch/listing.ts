import { constants as fsConstants, type Dir, Dirent, type Stats } from "node:fs";
import { join, relative } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { Form, RedirectedPath } from "./plan.ts";
import { isPipe, lookup } from "./redirected-path.ts";

interface ListingOptions {
  encoding?: string | null;
  withFileTypes?: boolean;
  recursive?: boolean;
}

type EntryKind = "FILE" | "DIR" | "LINK" | "UNKNOWN" | "FIFO" | "SOCKET" | "CHAR" | "BLOCK";
type AnyDirent = Dirent<string> | Dirent<Buffer>;
type DirentConstructor = new (name: string | Buffer, type: number, parentPath: string) => AnyDirent;

/** `fs.readdir`: the names of both trees, without those that were removed. */
export function readingFolder(overlay: Overlay, text: string, args: unknown[], form: Form): RedirectedPath | null {
  const given = args[1];
  const options: ListingOptions =
    typeof given === "string" ? { encoding: given } : typeof given === "object" ? (given ?? {}) : {};
  const resolved = overlay.locate(text, true);
  const redirected = lookup(overlay, resolved, text);
  if (resolved.state !== "present" || !resolved.entry.stats.isDirectory() || redirected === null) return redirected;
  return { ...redirected, after: () => list(overlay, resolved.logical, text, options, form) };
}

/** `fs.opendir`. */
export function openingFolder(overlay: Overlay, text: string, args: unknown[]): RedirectedPath | null {
  const redirected = readingFolder(
    overlay,
    text,
    [text, { ...(args[1] as object | undefined), withFileTypes: true }],
    "sync",
  );
  return redirected?.after === undefined
    ? redirected
    : {
        real: redirected.real,
        after(dir) {
          const { logical } = overlay.locate(text, true);
          const entries = redirected.after?.(null) as Dirent[];
          return serve(dir as Dir, text, inDiskOrder(entries, [logical, overlay.upperOf(logical)]));
        },
      };
}

/** An open folder gives its entries as they lie on the disk: first those of the original, then those that were made. */
function inDiskOrder(entries: Dirent[], folders: readonly string[]): Dirent[] {
  const ranks = new Map<string, number>();
  for (const folder of folders) for (const name of onDisk(folder)) if (!ranks.has(name)) ranks.set(name, ranks.size);
  const rank = ({ name }: Dirent): number => ranks.get(String(name)) ?? ranks.size;
  return entries.sort((a, b) => rank(a) - rank(b));
}

function onDisk(folder: string): string[] {
  const names: string[] = [];
  try {
    const dir = disk.opendirSync(folder);
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) names.push(entry.name);
    dir.closeSync();
  } catch {
    // it is in one of the trees only
  }
  return names;
}

/** A folder with everything below it: breadth first, but depth first by promise, as Node does it. */
function list(
  overlay: Overlay,
  logical: string,
  shown: string,
  options: ListingOptions,
  form: Form,
): (string | Buffer | AnyDirent)[] {
  const found: (string | Buffer | AnyDirent)[] = [];
  const { withFileTypes = false } = options;
  const name = (text: string): string | Buffer => (options.encoding === "buffer" ? Buffer.from(text) : text);
  const todo = [{ logical, shown }];
  for (let next = todo.pop(); next !== undefined; next = form === "promise" ? todo.pop() : todo.shift()) {
    for (const [child, { stats }] of overlay.children(next.logical)) {
      const way = join(next.shown, child);
      found.push(
        withFileTypes
          ? new (Dirent as unknown as DirentConstructor)(name(child), typeOf(stats), next.shown)
          : name(relative(shown, way)),
      );
      if (options.recursive !== true) continue;
      const below = join(next.logical, child);
      if (stats.isDirectory()) todo.push({ logical: below, shown: way });
      else if (stats.isSymbolicLink() && !(form === "promise" && withFileTypes)) {
        const led = overlay.locate(below, true);
        if (led.state === "present" && led.entry.stats.isDirectory()) todo.push({ logical: led.logical, shown: way });
      }
    }
  }
  return found;
}

/** Node's number for a kind of entry. */
const kindNumber = (kind: EntryKind): number => Number(Reflect.get(fsConstants, `UV_DIRENT_${kind}`));

function typeOf(stats: Stats): number {
  if (stats.isFile()) return kindNumber("FILE");
  if (stats.isDirectory()) return kindNumber("DIR");
  if (stats.isSymbolicLink()) return kindNumber("LINK");
  if (!isPipe(stats)) return kindNumber("UNKNOWN");
  if (stats.isFIFO()) return kindNumber("FIFO");
  if (stats.isSocket()) return kindNumber("SOCKET");
  return stats.isCharacterDevice() ? kindNumber("CHAR") : kindNumber("BLOCK");
}

/** Lets an open folder give these entries; it is still the real one that is closed, and that says when it was. */
function serve(dir: Dir, path: string, entries: Dirent[]): Dir {
  let at = 0;
  let open = true;
  const real = {
    read: dir.read.bind(dir),
    readSync: dir.readSync.bind(dir),
    close: dir.close.bind(dir),
    closeSync: dir.closeSync.bind(dir),
  };
  const next = (): Dirent | null => entries[at++] ?? null;
  const readBeside = async (): Promise<Dirent | null> => {
    await real.read();
    return next();
  };
  const own = {
    read(callback?: (error: Error | null, entry: Dirent | null) => void): unknown {
      if (!open || (callback !== undefined && typeof callback !== "function"))
        return Reflect.apply(real.read, dir, callback === undefined ? [] : [callback]);
      // the real one is read beside it: its reads are what stands in a record
      if (callback === undefined) return readBeside();
      return real.read((error) => callback(error, error === null ? next() : null));
    },
    readSync: (): Dirent | null => (open ? next() : real.readSync()),
    close(...args: []): unknown {
      open = false;
      return real.close(...args);
    },
    closeSync(): void {
      open = false;
      real.closeSync();
    },
    async *entries(): AsyncGenerator<Dirent> {
      try {
        for (let entry = await dir.read(); entry !== null; entry = await dir.read()) yield entry;
      } finally {
        await dir.close();
      }
    },
  };
  for (const [key, value] of Object.entries(own))
    Object.defineProperty(dir, key, { value, configurable: true, writable: true });
  Object.defineProperty(dir, Symbol.asyncIterator, { value: own.entries, configurable: true, writable: true });
  return Object.defineProperty(dir, "path", { value: path, configurable: true });
}
