import { closeSync, lstatSync, type Stats, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Scrubber } from "@reenact/capture";
import {
  type PermissionsFrom,
  permissionsOf,
  recorder,
  type RunContext,
  type WrittenFile,
} from "@reenact/capture/recorder";
import { contentFacts } from "./content-facts.ts";
import { firstUmask } from "./first-umask.ts";
import { type FileOriginals, keepFile, keepFiles, redactedContent } from "./former-content.ts";

/** What was at a path before the run's first write there. */
export interface FileBeforeFact {
  state: "file" | "folder" | "absent" | "other";
  bytes?: number;
  /** permission bits; absent on Windows */
  permissions?: number;
  /** of the redacted content */
  sha256?: string;
  /** the redacted content, where the program may have seen it: a text, or else bytes */
  content?: string;
  base64?: string;
}

/** What became of one path that a run wrote. */
export interface FileFact {
  /** redacted; see `FileView.folders` */
  path: string;
  state: "file" | "folder" | "link" | "absent" | "other";
  /** of the redacted content; with `appended` of what was added. Without it the content is not compared */
  sha256?: string;
  /** see `TextFacts` */
  tokens?: string;
  keys?: Record<string, number>;
  marks?: string;
  bytes?: number;
  /** permission bits of a file or folder; absent on Windows */
  permissions?: number;
  permissionsFrom?: PermissionsFrom;
  /** nothing but its permissions was changed */
  permissionsOnly?: true;
  appended?: true;
  /** digests of the first lines, eight hexadecimal digits each */
  more?: string;
  /** the first lines, redacted, where they were kept */
  lines?: string[];
  before: FileBeforeFact;
  /** the new content may depend on the one before */
  depends?: true;
  /** another run of the process wrote it too: the content is not compared */
  shared?: true;
  /** numbers of the tool steps in whose bodies it was written, if not only outside; -1: also outside */
  tools?: number[];
}

export interface FilesFacts {
  written: FileFact[];
  /** permission bits that new files did not get as the process began; absent on Windows and where it is not known */
  umask?: number;
  /** paths that were left out because there were too many */
  dropped?: number;
  /** operations were still under way: what they wrote may be there or not */
  unsettled?: true;
}

export interface FileLimits {
  fileBytes: number;
  /** of a content before the first write */
  formerBytes: number;
  allBytes: number;
  /** milliseconds after which nothing more is read */
  withinMs: number;
  /** characters of each file of which the lines are kept */
  keep: number;
}

export interface FileView {
  scrubber: Scrubber;
  /** folders whose place differs between machines, each with the name that paths in it get; the first that fits counts */
  folders: readonly (readonly [folder: string, name: string])[];
  limits: FileLimits;
  ignore(path: string): boolean;
  translate?: ((token: string) => string) | undefined;
  isLate(): boolean;
}

/** Kernel interfaces, not files. */
const KERNEL = /^\/(?:dev|proc|sys)(?:\/|$)/;
const MOST_FILES = 1000;

/** Looks at every path that the run wrote, as it is now. */
export function filesFacts(run: RunContext, view: FileView): FilesFacts {
  const files = run.files.list().filter(({ path }) => !KERNEL.test(path) && !view.ignore(path));
  const paths = new Map(files.map((file) => [file.path, file]));
  for (const file of files)
    if (file.isTree) for (const path of below(file.path)) if (!paths.has(path)) paths.set(path, file);
  const budget = { bytes: view.limits.allBytes };
  const originals: FileOriginals = { run: run.id, files: {}, values: {} };
  const written = [...paths].slice(0, MOST_FILES).map(([path, file]) => ({
    ...factOf(file, path, view, budget, originals),
    ...(run.files.isShared(path) && { shared: true as const }),
  }));
  keepFiles(originals);
  const dropped = run.files.dropped + paths.size - written.length;
  return {
    written,
    ...(written.length > 0 && firstUmask !== null && { umask: firstUmask }),
    ...(dropped > 0 && { dropped }),
    ...(run.files.underWay > 0 && { unsettled: true }),
  };
}

interface Budget {
  bytes: number;
}

function factOf(file: WrittenFile, path: string, view: FileView, budget: Budget, originals: FileOriginals): FileFact {
  const real = recorder.realPath(path);
  const scopes = [...file.scopes];
  const shown = shownPath(path, view);
  const keep: KeepOriginal = (redacted, raw) => keepFile(originals, shown, redacted, raw);
  const stats = lstatSync(real, { throwIfNoEntry: false });
  return {
    path: shown,
    state: stats === undefined ? "absent" : stateOf(stats),
    before: path === file.path ? beforeFact(file, view, keep) : { state: "absent" },
    ...(file.depends && { depends: true }),
    ...(scopes.some((scope) => scope !== -1) && { tools: scopes }),
    ...(stats !== undefined && factsNow(file, real, stats, view, budget)),
  };
}

function stateOf(stats: Stats): FileFact["state"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** Permissions and content as they are now. */
function factsNow(file: WrittenFile, real: string, stats: Stats, view: FileView, budget: Budget): Partial<FileFact> {
  const facts = permissionFacts(file, stats);
  if (facts.permissionsOnly === true) return facts;
  if (stats.isSymbolicLink()) return { ...facts, ...contentFacts(Buffer.from(readlinkSync(real)), view) };
  if (!stats.isFile()) return facts;
  const isAppended = file.kind === "append";
  const from = isAppended && file.before.kind === "file" ? Math.min(file.before.bytes, stats.size) : 0;
  const size = stats.size - from;
  const content = readContent(real, from, size, view, budget) ?? { bytes: size };
  return { ...facts, ...(isAppended && { appended: true as const }), ...content };
}

/** Null: it is too large, cannot be read, or cannot be redacted now. */
function readContent(
  real: string,
  from: number,
  size: number,
  view: FileView,
  budget: Budget,
): ReturnType<typeof contentFacts> {
  if (size > view.limits.fileBytes || size > budget.bytes || view.scrubber.answersLater === true) return null;
  budget.bytes -= size;
  try {
    return contentFacts(bytesOf(real, from, size), view);
  } catch {
    return null;
  }
}

type KeepOriginal = (redacted: string, raw: string) => void;

function permissionFacts(
  { kind, permissionsFrom }: WrittenFile,
  stats: Stats,
): Pick<FileFact, "permissions" | "permissionsFrom" | "permissionsOnly"> {
  const permissions = stats.isFile() || stats.isDirectory() ? permissionsOf(stats) : undefined;
  return {
    ...(permissions !== undefined && { permissions }),
    ...(permissions !== undefined && permissionsFrom !== null && { permissionsFrom }),
    ...(kind === "permissions" && { permissionsOnly: true as const }),
  };
}

function beforeFact(file: WrittenFile, view: FileView, keep: KeepOriginal): FileBeforeFact {
  const { kind, bytes, permissions } = file.before;
  const content = file.kind === "permissions" ? null : file.before.content;
  const known = permissions === undefined ? {} : { permissions };
  if (kind !== "file") return { state: kind, ...known };
  const facts = content === null ? null : contentFacts(content, view);
  if (content === null || facts === null) return { state: kind, bytes, ...known };
  const kept = bytes > view.limits.formerBytes ? {} : redactedContent(content, view, keep);
  return { state: kind, bytes, ...known, sha256: facts.sha256, ...kept };
}

function bytesOf(path: string, from: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  const file = openSync(path, "r");
  try {
    let read = 0;
    while (read < size) {
      const count = readSync(file, bytes, read, size - read, from + read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

/** What is below a folder; bounded. */
function below(folder: string): string[] {
  const found: string[] = [];
  for (let at = -1; at < found.length && found.length < MOST_FILES; at++) {
    const path = found[at] ?? folder;
    const real = recorder.realPath(path);
    if (lstatSync(real, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const name of readdirSync(real).sort()) found.push(join(path, name));
  }
  return found;
}

export function shownPath(path: string, { folders, scrubber }: Pick<FileView, "folders" | "scrubber">): string {
  for (const [folder, name] of folders) {
    const way = relative(folder, path);
    if (way !== "" && !way.startsWith("..") && !isAbsolute(way)) return name + scrubbed(way, scrubber);
  }
  return scrubbed(path, scrubber);
}

function scrubbed(path: string, scrubber: Scrubber): string {
  return path
    .split(sep)
    .map((part) => scrubber.scrub(part).text)
    .join("/");
}
