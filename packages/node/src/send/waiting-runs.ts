import { spoolFiles } from "../seal/claim.ts";
import { isAlive } from "../process/is-alive.ts";
import { runsStartedIn } from "../spool/runs-started-in.ts";
import { belongsHere, readCursor, waitingTargets } from "../spool/cursor.ts";
import { targetKey } from "../spool/target.ts";
import { storeLayout } from "../config/store-layout.ts";

export interface WaitingRuns {
  /** the address that they are meant for */
  readonly url: string;
  readonly runs: number;
  /** theirs, 32 hex */
  readonly ids: readonly string[];
  /** they are in no local list: only the collector is to have them */
  readonly onlyThere: boolean;
}

/** What of a store's spool waits to be sent, by address. Reads heads of frames, and which runs started. */
export function waitingRuns(folder: string): WaitingRuns[] {
  const layout = storeLayout(folder);
  const found = new Map<string, WaitingRuns>();
  for (const { path, stem, opening, size } of spoolFiles(layout)) {
    // a process that lives sends by itself
    if (opening.targets.length === 0 || isAlive(Number(opening.pid))) continue;
    const cursor = readCursor(layout, stem);
    const waiting = waitingTargets(opening.targets, cursor, size);
    const started = waiting.length === 0 ? [] : runsStartedIn(path);
    for (const target of waiting) {
      const key = targetKey(target);
      const onlyThere = target.view === "record" && !belongsHere(opening.targets, cursor);
      const ids = [...(found.get(key)?.ids ?? []), ...started];
      found.set(key, { url: target.url, runs: ids.length, ids, onlyThere });
    }
  }
  return [...found.values()].filter(({ runs }) => runs > 0);
}
