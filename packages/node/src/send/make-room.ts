import { readFileSync, rmSync, statSync } from "node:fs";
import { ATTR, decodeSpan, scanTraces } from "@reenact/envelope";
import { spoolFiles } from "../seal/claim.ts";
import { isAlive } from "../process/is-alive.ts";
import { readCursor, removeCursor } from "../spool/cursor.ts";
import { readFrames } from "../spool/frame.ts";
import { spoolHolds, spoolRoom } from "../spool/spool-limit.ts";
import type { StoreLayout } from "../config/store-layout.ts";

/** Room is made before it is needed, so that no run is refused meanwhile. */
const FULL = 0.8;

/**
 * Keeps what no destination takes within the bounds of a spool: files of which all runs ended well go first, the oldest of them
 * first; one with a run that failed or is flagged never goes, and then new runs are refused. What is sealed into the local store
 * already goes before all others. `except`: never the files of this process.
 */
export function makeRoom(layout: StoreLayout, except: string | null, most = spoolRoom(layout)): { runs: number } {
  let held = spoolHolds(layout);
  if (held <= most * FULL) return { runs: 0 };
  const candidates = spoolFiles(layout)
    .filter(
      ({ stem, opening }) =>
        (except === null || !stem.startsWith(except)) && opening.targets.length > 0 && !isAlive(Number(opening.pid)),
    )
    .map((file) => ({
      ...file,
      sealed: readCursor(layout, file.stem).sealed,
      age: statSync(file.path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((a, b) => Number(b.sealed) - Number(a.sealed) || a.age - b.age);
  let dropped = 0;
  for (const { path, stem, size, sealed } of candidates) {
    if (held <= most * FULL) break;
    const { runs, ok } = sealed ? { runs: 0, ok: true } : outcomeOf(path);
    if (!ok) continue;
    rmSync(path, { force: true });
    removeCursor(layout, stem);
    held -= size;
    dropped += runs;
  }
  return { runs: dropped };
}

/** How many runs began in a file, and whether all of them ended well and none is flagged. */
function outcomeOf(path: string): { runs: number; ok: boolean } {
  let started = 0;
  const ok = new Set<string>();
  for (const { kind, payload } of readFrames(readFileSync(path)).frames) {
    if (kind === "started") started++;
    if (kind !== "span" && kind !== "answered") continue;
    const [span] = scanTraces(payload.subarray(payload.indexOf(10) + 1));
    if (span === undefined) continue;
    const { attributes, traceId } = decodeSpan(span.span);
    const isOk = attributes[ATTR.runStatus] === "ok" && attributes[ATTR.flag] === undefined;
    // the root that comes when the run ends is the later one
    if (isOk) ok.add(traceId);
    else ok.delete(traceId);
  }
  return { runs: started, ok: started === ok.size };
}
