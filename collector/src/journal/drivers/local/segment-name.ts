import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_START, type Position } from "../../journal.ts";
import { positionAt } from "./segment-place.ts";

const SUFFIX = ".journal";

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(10, "0")}${SUFFIX}`);
}

/** The path for a copy of bytes at `offset` that are no record. */
export function damagedPath(folder: string, segment: number, offset: number): string {
  return `${segmentPath(folder, segment)}.${offset}.damaged`;
}

/** Numbers of the segments among these names, ascending. */
export function segmentsAmong(names: readonly string[]): number[] {
  return names
    .filter((name) => /^\d{10}\.journal$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

/** Where a journal that nobody writes to ends. */
export function endOfFolder(folder: string): Position {
  const segment = segmentsAmong(readdirSync(folder)).at(-1);
  return segment === undefined ? JOURNAL_START : positionAt(segment, statSync(segmentPath(folder, segment)).size);
}
