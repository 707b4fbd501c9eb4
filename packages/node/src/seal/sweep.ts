import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Nobody writes one file for longer. */
const OLD_MS = 60_000;
/** As `writeWhole` names what it has not finished. */
const UNFINISHED = /\.reenact\.tmp-\d+-[0-9a-f]{8}$/;

/** Removes what a sealer that was killed has left half-written; its run is still in the spool. Never throws. */
export function sweepUnfinished(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!UNFINISHED.test(name)) continue;
      const path = join(folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
      if (age > OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // no folder yet, or not ours to clean: sealing reports the error
  }
}
