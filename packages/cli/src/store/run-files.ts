import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { EnvelopeError, errorCode } from "@reenact/envelope";
import { HEADER_PREFIX, readManifest } from "@reenact/envelope/file";
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

/** Whether a list of runs shows it unasked: no replay, and not what a process did around its `agent()` calls. */
export function isListed({ replay, trigger }: Manifest): boolean {
  return replay === undefined && trigger !== "surrounding";
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
  const file = openSync(path, "r");
  try {
    let prefix = read(file, HEADER_PREFIX * 4);
    for (;;) {
      try {
        return { path, ...readManifest(prefix) };
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

/** Oldest first. */
export function byTime(a: RunFile, b: RunFile): number {
  const [one, other] = [BigInt(a.manifest.started), BigInt(b.manifest.started)];
  if (one === other) return a.header.run < b.header.run ? -1 : 1;
  return one < other ? -1 : 1;
}
