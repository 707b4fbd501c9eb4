import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";

/** Bytes of the checksum in front of what V8 is given: it does not look itself whether its data are whole. */
const SUM_BYTES = 4;
/** A start makes about fifteen, 1 MB in all; each version of Node, of ours, and each set of flags has its own. */
const MOST_FILES = 500;

/** What V8 made of a script the last time, in a file of the user's own. */
export interface CodeCache {
  /** undefined: nothing is kept, or not for this source and this V8 */
  read(source: Buffer): Buffer | undefined;
  /** Never throws: without a cache the next start is slower, no more. `make` is not called where nothing can be kept. */
  write(source: Buffer, make: () => Buffer): void;
}

/** What the files of this process's cache begin with; null where `NODE_DISABLE_COMPILE_CACHE` says that none is wanted. */
export function codeCachePrefix(): string | null {
  if (process.env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return null;
  const user = process.getuid?.();
  const folder = user === undefined ? "reenact-code" : `reenact-code-${user}`;
  return join(tmpdir(), folder, `${process.version}-${process.arch}-${crc32(flags()).toString(16)}-`);
}

/** The cache of this user. Code comes out of it: nothing is read from, or written to, a folder that is not the user's alone. */
export function codeCache(prefix: string): CodeCache {
  const user = process.getuid?.();
  const folder = dirname(prefix);
  const fileOf = (source: Buffer): string => `${prefix}${source.length}-${crc32(source).toString(16)}`;
  let safe: boolean | null = null;
  let writable: boolean | null = null;
  return {
    read(source) {
      try {
        if (!(safe ??= isOnlyOf(user, folder))) return undefined;
        const file = readFileSync(fileOf(source));
        const data = file.subarray(SUM_BYTES);
        return file.readUInt32LE(0) === crc32(data) ? data : undefined;
      } catch {
        return undefined;
      }
    },
    write(source, make) {
      try {
        if (!(writable ??= isReady(user, folder))) return;
        const data = make();
        const path = fileOf(source);
        const part = `${path}.${process.pid}`;
        const sum = Buffer.alloc(SUM_BYTES);
        sum.writeUInt32LE(crc32(data));
        writeFileSync(part, Buffer.concat([sum, data]), { mode: 0o600, flag: "wx" });
        renameSync(part, path);
      } catch {
        writable = false; // a full or read-only disk
      }
    },
  };
}

/** Makes the folder where there is none, and room in it. */
function isReady(user: number | undefined, folder: string): boolean {
  makeFolder(folder);
  if (!isOnlyOf(user, folder)) return false;
  const old = readdirSync(folder);
  if (old.length > MOST_FILES) for (const name of old) rmSync(join(folder, name), { force: true });
  return true;
}

/** Flags of V8 that programs are started with. Under another one that it minds V8 refuses what is kept, and compiles. */
const OF_V8 =
  /^--(?:no-)?(?:expose|gc|harmony|jit|js|lite|maglev|max|min|opt|semi|single|sparkplug|stack|turbo)[\w-]*(?:=\d+)?/;

function flags(): string {
  const given = [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(/\s+/)];
  return given.flatMap((flag) => OF_V8.exec(flag) ?? []).join(" ");
}

/** Not recursive: in a folder of the kernel, such as /proc, Node then tries for ever. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function isOnlyOf(user: number | undefined, folder: string): boolean {
  const { mode, uid } = lstatSync(folder);
  const isFolder = (mode & 0o170000) === 0o040000;
  return isFolder && (user === undefined || (uid === user && (mode & 0o022) === 0));
}
