import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { PresentPath, ResolvedPath } from "./resolved-path.ts";
import { pathText, type Plan, type Prepare, type RedirectedPath } from "./plan.ts";
import { copying, linkingByName } from "./relocation.ts";
import { unlinking } from "./removal.ts";
import { makingFolder } from "./creation.ts";
import { changing, isPipe, realPath } from "./redirected-path.ts";

interface CopyOptions {
  recursive?: boolean;
  dereference?: boolean;
  force?: boolean;
  errorOnExist?: boolean;
  preserveTimestamps?: boolean;
  verbatimSymlinks?: boolean;
  filter?: (source: string, destination: string) => unknown;
}

/** Asks the caller's filter; it may answer by promise. */
type Copying = Generator<unknown, void, unknown>;

/**
 * `fs.cp`. Node copies with the operating system's eyes, which do not see the two trees as one, so the copying is done
 * here, and Node's own function only copies an empty file: it takes the time, and its place in the order.
 */
export const copyingTree: Prepare = (overlay, args, form): Plan | null => {
  const from = pathText(args[0]);
  const to = pathText(args[1]);
  if (from === null || to === null) return null;
  const options = (typeof args[2] === "object" ? (args[2] ?? {}) : {}) as CopyOptions;
  const follow = options.dereference === true;
  const source = overlay.locate(from, follow);
  const target = overlay.locate(to, follow);
  if (source.state === "foreign" && target.state === "foreign") {
    return source.direct && target.direct
      ? null
      : { args: [source.logical, target.logical, ...args.slice(2)], pairs: [] };
  }
  // Node's synchronous check follows links, whatever the options say
  const same =
    form === "sync" ? sameFile(overlay.locate(from, true), overlay.locate(to, true)) : sameFile(source, target);
  const impossible = failing(overlay, source, target, options, same);
  if (impossible !== null) return failingPlan(impossible, from, to, args, options);
  // Node's synchronous copy without a filter is native, and gives new folders the default mode
  const copying = copy(overlay, from, to, options, form === "sync" && options.filter === undefined);
  const late = options.filter !== undefined && form !== "sync";
  const failure = late ? null : failureOf(copying);
  return {
    args: [
      overlay.errorFixture("file"),
      overlay.errorFixture("scrap"),
      ...args.slice(2).filter((arg) => typeof arg === "function"),
    ],
    pairs: [],
    after() {
      if (failure !== null) throw failure.error;
      return late ? finish(copying) : undefined;
    },
  };
};

/** Node's own call between two paths where it fails, without the caller's filter. */
function failingPlan(
  [a, b]: readonly [string, string],
  from: string,
  to: string,
  args: readonly unknown[],
  options: CopyOptions,
): Plan {
  const { filter: _, ...plain } = options;
  const rest = args.slice(2);
  return {
    args: [a, b, ...(typeof rest[0] === "object" ? [plain, ...rest.slice(1)] : rest)],
    pairs: [
      [b, to],
      [a, from],
    ],
  };
}

/** Copies at once. Null: it has not failed. */
function failureOf(copying: Copying): { error: unknown } | null {
  try {
    for (let next = copying.next(); next.done !== true; next = copying.next(next.value));
    return null;
  } catch (error) {
    return { error };
  }
}

async function finish(copying: Copying): Promise<void> {
  for (let next = copying.next(); next.done !== true; next = copying.next(await next.value));
}

/** Two paths between which Node fails as it would between these; null if the copy may begin. */
function failing(
  overlay: Overlay,
  source: ResolvedPath,
  target: ResolvedPath,
  options: CopyOptions,
  same: boolean,
): [string, string] | null {
  if (source.state === "foreign") return null;
  if (source.state !== "present") return [realPath(overlay, source), overlay.errorFixture("absent")];
  const folder = source.entry.stats.isDirectory();
  // Node checks the kinds of source and target before contents: a fixture of the same kind gives the same error
  const stand = overlay.errorFixture(folder ? "empty" : "full/file");
  if (target.state === "astray") return [stand, realPath(overlay, target)];
  const clash = clashing(overlay, source, target, folder, same);
  if (clash !== null) return clash;
  if (target.state === "blocked" || target.state === "loop") return [stand, realPath(overlay, target)];
  return folder && options.recursive !== true ? [overlay.errorFixture("empty"), overlay.errorFixture("absent")] : null;
}

/** Two paths as these, of which one is the other, of another kind, or inside of it; null: they are none of that. */
function clashing(
  overlay: Overlay,
  source: ResolvedPath,
  target: ResolvedPath,
  folder: boolean,
  same: boolean,
): [string, string] | null {
  if (target.logical === source.logical || same) return [overlay.errorFixture("empty"), overlay.errorFixture("empty")];
  const onto = target.state === "present" ? target.entry.stats.isDirectory() : null;
  if (onto !== null && onto !== folder)
    return [overlay.errorFixture(folder ? "empty" : "file"), overlay.errorFixture(onto ? "empty" : "full/file")];
  const isInside = folder && target.logical.startsWith(source.logical + sep);
  return isInside ? [overlay.errorFixture("full"), overlay.errorFixture("full/new")] : null;
}

/** Two names of one file. */
function sameFile(a: ResolvedPath, b: ResolvedPath): boolean {
  if (a.state !== "present" || b.state !== "present" || a.entry.layer !== b.entry.layer) return false;
  return a.entry.stats.ino === b.entry.stats.ino && a.entry.stats.dev === b.entry.stats.dev;
}

function* copy(overlay: Overlay, from: string, to: string, options: CopyOptions, native: boolean): Copying {
  if (options.filter !== undefined && !(yield options.filter(from, to))) return;
  const source = overlay.locate(from, options.dereference === true);
  if (source.state === "foreign") throw failure("EINVAL", "cannot copy what is no part of the tree", from);
  if (source.state !== "present") throw failure("ENOENT", "no such file or directory", from);
  if (source.entry.stats.isDirectory()) yield* copyFolder(overlay, source, from, to, options, native);
  else copyFile(overlay, source, from, to, options, native);
}

function* copyFolder(
  overlay: Overlay,
  source: PresentPath,
  from: string,
  to: string,
  options: CopyOptions,
  native: boolean,
): Copying {
  const target = overlay.locate(to, options.dereference === true);
  const isNew = target.state !== "present";
  if (!isNew && !target.entry.stats.isDirectory())
    throw failure("ERR_FS_CP_DIR_TO_NON_DIR", "cannot overwrite non-directory with directory", to);
  if (isNew) disk.mkdirSync(at(makingFolder(overlay, to, true), to), { recursive: true });
  for (const name of overlay.children(source.logical).keys())
    yield* copy(overlay, join(from, name), join(to, name), options, native);
  const mode = source.entry.stats.mode & 0o7777;
  if (isNew && !native) disk.chmodSync(at(changing(overlay, to, ATTRIBUTES), to), mode);
}

function copyFile(
  overlay: Overlay,
  source: PresentPath,
  from: string,
  to: string,
  options: CopyOptions,
  native: boolean,
): void {
  const { stats } = source.entry;
  const target = overlay.locate(to, options.dereference === true);
  if (target.state === "present" && target.entry.stats.isDirectory())
    throw failure("ERR_FS_CP_NON_DIR_TO_DIR", "cannot overwrite directory with non-directory", to);
  if (isPipe(stats)) throw failure("ERR_FS_CP_UNKNOWN", "cannot copy an unknown file type", to);
  const link = stats.isSymbolicLink() ? linked(overlay, source, from, options) : null;
  if (target.state !== "present")
    disk.mkdirSync(at(makingFolder(overlay, dirname(to), true), dirname(to)), { recursive: true });
  else {
    // the native copy compares what is written in the links
    if (link !== null && target.entry.stats.isSymbolicLink() && (!native || isAbsolute(readLink(overlay, source))))
      refuseNesting(overlay, from, to, link, linked(overlay, target, to));
    if (link === null && options.force === false) return refuseExisting(options, to);
    disk.unlinkSync(at(unlinking(overlay, to), to));
  }
  if (link !== null) {
    disk.symlinkSync(link, at(linkingByName(overlay, to), to));
    return;
  }
  const redirected = copying(overlay, from, to, 0);
  disk.copyFileSync(at(redirected.from, from), at(redirected.to, to));
  if (options.preserveTimestamps === true)
    disk.utimesSync(at(changing(overlay, to, ATTRIBUTES), to), stats.atimeMs / 1000, stats.mtimeMs / 1000);
}

/** A file that is there and may not be overwritten is left alone, without an error unless the caller wants one. */
function refuseExisting({ errorOnExist }: CopyOptions, to: string): void {
  if (errorOnExist === true) throw failure("ERR_FS_CP_EEXIST", "cp returned EEXIST, the destination exists", to);
}

function readLink(overlay: Overlay, resolved: ResolvedPath): string {
  return disk.readlinkSync(realPath(overlay, resolved));
}

/** Where a link leads; absolute unless it is to be copied word for word. */
function linked(overlay: Overlay, resolved: ResolvedPath, text: string, options: CopyOptions = {}): string {
  const link = readLink(overlay, resolved);
  return options.verbatimSymlinks === true ? link : resolve(dirname(text), link);
}

/** Node puts no link to a folder in the place of one that leads into the same folder, or around it. */
function refuseNesting(overlay: Overlay, from: string, to: string, source: string, target: string): void {
  const isFolder = (text: string): boolean => {
    const resolved = overlay.locate(text, true);
    return resolved.state === "present" && resolved.entry.stats.isDirectory();
  };
  if (isFolder(from) && isWithin(target, source))
    throw failure("ERR_FS_CP_EINVAL", `cannot copy ${source} to a subdirectory of self ${target}`, to);
  if (isFolder(to) && isWithin(source, target))
    throw failure("ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY", `cannot overwrite ${target} with ${source}`, to);
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

const ATTRIBUTES = { follow: true, create: false, exclusive: false, content: false } as const;

function at(redirected: RedirectedPath | null, text: string): string {
  return redirected?.real ?? text;
}

function failure(code: string, why: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${why}, cp '${path}'`), { code, syscall: "cp", path });
}
