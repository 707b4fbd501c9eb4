import { closeSync, opendirSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { EnvelopeError, errorCode } from "@reenact/envelope";
import { HEADER_PREFIX, manifestIncludes, readManifest } from "@reenact/envelope/file";
import { CliError } from "../errors/cli-error.ts";

export type Manifest = ReturnType<typeof readManifest>["manifest"];
export type Header = ReturnType<typeof readManifest>["header"];

export interface RunFile {
  readonly path: string;
  readonly header: Header;
  readonly manifest: Manifest;
  /** of a run that was sent and is in no file here */
  readonly bytes?: Uint8Array;
}

/** Whether it has only done again what was recorded. A run in which a suspended one went on has done more. */
export function isReplay({ replay }: Pick<Manifest, "replay">): boolean {
  return replay !== undefined && (replay.mode !== "resume" || replay.continued === undefined);
}

/** Whether a list of runs shows it unasked: no replay, and not what a process did around its `agent()` calls. */
export function isListed(manifest: Manifest): boolean {
  return !isReplay(manifest) && manifest.trigger !== "surrounding";
}

/** Throws where the runs of a store cannot be read. A store that does not exist has none. */
export function checkReadable(store: string): void {
  try {
    opendirSync(join(store, "runs")).closeSync();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw CliError.store(store, "cannot read", error);
  }
}

/** Paths of all runs in a store; none where there is no store yet. */
export function runPaths(store: string): string[] {
  const folder = join(store, "runs");
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".reenact"));
    return names.map((name) => join(folder, name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw CliError.store(store, "cannot read", error);
  }
}

/** Reads header and manifest only, however large the run. */
export function readRunFile(path: string): RunFile {
  return { path, ...readStart(path, readManifest) };
}

/** What `parse` makes of the first bytes of a file, as many of them as it needs. */
function readStart<T>(path: string, parse: (prefix: Buffer) => T): T {
  const file = openSync(path, "r");
  try {
    let prefix = read(file, HEADER_PREFIX * 4);
    for (;;) {
      try {
        return parse(prefix);
      } catch (error) {
        if (!(error instanceof EnvelopeError) || error.code !== "TRUNCATED") throw error;
        const more = read(file, prefix.length * 4);
        if (more.length === prefix.length) throw error;
        prefix = more;
      }
    }
  } finally {
    closeSync(file);
  }
}

function read(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const n = readSync(file, bytes, at, length - at, at);
    if (n === 0) break;
    at += n;
  }
  return bytes.subarray(0, at);
}

/** All readable runs, newest first; the unreadable ones with what was thrown. */
export function listRuns(store: string): { runs: RunFile[]; damaged: { path: string; error: unknown }[] } {
  const runs: RunFile[] = [];
  const damaged: { path: string; error: unknown }[] = [];
  for (const path of runPaths(store)) {
    try {
      runs.push(readRunFile(path));
    } catch (error) {
      damaged.push({ path, error });
    }
  }
  runs.sort((a, b) => byTime(b, a));
  return { runs, damaged };
}

/**
 * The readable runs of the process that `run` is of, without it and without replays, newest first. Only manifests that contain the
 * process's instance are parsed.
 */
export function siblingRuns(store: string, run: RunFile): RunFile[] {
  const { instance } = run.manifest;
  if (instance === undefined) return [];
  const json = JSON.stringify(instance);
  const siblings = runPaths(store).flatMap((path) => {
    try {
      if (!readStart(path, (prefix) => manifestIncludes(prefix, json))) return [];
      const { header, manifest } = readRunFile(path);
      const isSibling =
        manifest.instance === instance && header.run !== run.header.run && manifest.replay === undefined;
      return isSibling ? [{ path, header, manifest }] : [];
    } catch {
      // a damaged file: doctor and ls report it
      return [];
    }
  });
  return siblings.toSorted((a, b) => byTime(b, a));
}

/** A clock may be set back by this much between the start of a run and the end of its file, milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/**
 * The readable runs, newest start first, each read when it is needed: a file is written after its run has started, so those that
 * were written before the newest one of the rest had started come after it. `damaged` takes what cannot be read.
 */
export function* newestRuns(
  paths: readonly string[],
  damaged: (path: string, error: unknown) => void,
): Generator<RunFile> {
  const files = paths.map((path) => ({ path, written: writtenMs(path) }));
  files.sort((a, b) => b.written - a.written);
  /** runs that were read and are due later, oldest first */
  const waiting: RunFile[] = [];
  for (const { path, written } of files) {
    for (let newest = waiting.at(-1); newest && startedMs(newest) > written + CLOCK_SLACK_MS; newest = waiting.at(-1))
      yield waiting.pop() as RunFile;
    try {
      insert(waiting, readRunFile(path));
    } catch (error) {
      damaged(path, error);
    }
  }
  yield* waiting.toReversed();
}

const startedMs = ({ manifest }: RunFile): number => Number(BigInt(manifest.started) / 1_000_000n);

/** A file that was deleted meanwhile is met when it is read. */
const writtenMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Keeps `sorted` by `byTime`. Runs come nearly from the newest to the oldest. */
function insert(sorted: RunFile[], run: RunFile): void {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byTime(sorted[middle] as RunFile, run) < 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, run);
}

/** Oldest first. */
export function byTime(a: RunFile, b: RunFile): number {
  const [one, other] = [BigInt(a.manifest.started), BigInt(b.manifest.started)];
  if (one === other) return a.header.run < b.header.run ? -1 : 1;
  return one < other ? -1 : 1;
}
