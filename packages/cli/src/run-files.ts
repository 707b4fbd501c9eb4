import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { EnvelopeError } from "@reenact/envelope";
import { HEADER_PREFIX, readManifest } from "@reenact/envelope/file";

export type Manifest = ReturnType<typeof readManifest>["manifest"];
export type Header = ReturnType<typeof readManifest>["header"];

export interface RunFile {
  readonly path: string;
  readonly header: Header;
  readonly manifest: Manifest;
}

/** Paths of all runs in a store. */
export function runPaths(store: string): string[] {
  const folder = join(store, "runs");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".reenact"))
    .map((name) => join(folder, name));
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

/** All readable runs, newest first; the unreadable ones with their reasons. */
export function listRuns(store: string): { runs: RunFile[]; damaged: { path: string; why: string }[] } {
  const runs: RunFile[] = [];
  const damaged: { path: string; why: string }[] = [];
  for (const path of runPaths(store)) {
    try {
      runs.push(readRunFile(path));
    } catch (error) {
      damaged.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  runs.sort((a, b) => (BigInt(a.manifest.started) < BigInt(b.manifest.started) ? 1 : -1));
  return { runs, damaged };
}
