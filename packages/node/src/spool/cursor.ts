import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoreLayout } from "../config/store-layout.ts";
import { isCollector, type Target, targetKey } from "./target.ts";

/**
 * How far a spool file has got: a small file beside it. Losing one costs sending again, which changes nothing: a
 * collector knows a span that it has.
 */
export interface Cursor {
  /** by `targetKey`: what ends before this place of the file has been taken; past the file's end: all of it */
  readonly sent: Readonly<Record<string, number>>;
  /** its runs are in the local store */
  readonly sealed: boolean;
  /** the collector can never take a part of it: it belongs into the local store */
  readonly local: boolean;
}

const CURSOR = /\.cursor(\.tmp-\d+)?$/;
const OLD_MS = 60_000;
const NOTHING: Cursor = { sent: {}, sealed: false, local: false };

/** `stem`: the file's name without what follows the first dot */
export function readCursor(layout: StoreLayout, stem: string): Cursor {
  try {
    const { sent, sealed, local } = JSON.parse(readFileSync(pathOf(layout, stem), "utf8")) as Partial<Cursor>;
    return { sent: { ...sent }, sealed: sealed === true, local: local === true };
  } catch {
    return NOTHING;
  }
}

/** Appears whole or not at all. Throws what the file system throws. */
export function writeCursor(layout: StoreLayout, stem: string, cursor: Cursor): void {
  const path = pathOf(layout, stem);
  const fresh = `${path}.tmp-${process.pid}`;
  writeFileSync(fresh, JSON.stringify({ v: 1, ...cursor }), { mode: 0o600 });
  renameSync(fresh, path);
}

/**
 * Notes that a target has taken what ends before `sent`; `lacks`: a part of it never will be taken there. Throws what the
 * file system throws.
 */
export function advanceCursor(
  layout: StoreLayout,
  stem: string,
  target: Target,
  { sent, lacks }: { sent: number; lacks: boolean },
): void {
  const before = readCursor(layout, stem);
  writeCursor(layout, stem, {
    ...before,
    sent: { ...before.sent, [targetKey(target)]: sent },
    local: before.local || (isCollector(target) && lacks),
  });
}

export function removeCursor(layout: StoreLayout, stem: string): void {
  rmSync(pathOf(layout, stem), { force: true });
}

/** Removes what was left beside files that are gone. Never throws. */
export function sweepCursors(layout: StoreLayout): void {
  try {
    const names = readdirSync(layout.spool);
    const stems = new Set(names.filter((name) => !CURSOR.test(name)).map((name) => name.split(".", 1)[0]));
    for (const name of names.filter((each) => CURSOR.test(each))) {
      const path = join(layout.spool, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
      if (!stems.has(name.split(".", 1)[0]) && age > OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // no spool yet, or not ours to clean
  }
}

/** What has not got all of a file of this size. */
export function waitingTargets(targets: readonly Target[], cursor: Cursor, size: number): Target[] {
  return targets.filter((each) => (cursor.sent[targetKey(each)] ?? 0) <= size);
}

/** Whether its runs belong into the local store: no collector was named, or it cannot take them. */
export function belongsHere(targets: readonly Target[], cursor: Cursor): boolean {
  return cursor.local || !targets.some(isCollector);
}

function pathOf(layout: StoreLayout, stem: string): string {
  return join(layout.spool, `${stem}.cursor`);
}
