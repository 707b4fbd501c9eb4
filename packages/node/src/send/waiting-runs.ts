import { closeSync, openSync, readSync } from "node:fs";
import { spoolFiles } from "../seal/claim.ts";
import { isAlive } from "../seal/is-alive.ts";
import { belongsHere, readCursor, waitingTargets } from "../spool/cursor.ts";
import { FRAME } from "../spool/frame.ts";
import { targetKey } from "../spool/target.ts";
import { storeLayout } from "../store-layout.ts";

export interface WaitingRuns {
  /** the address that they are meant for */
  readonly url: string;
  readonly runs: number;
  /** they are in no local list: only the collector is to have them */
  readonly onlyThere: boolean;
}

/** What of a store's spool waits to be sent, by address. Reads the heads of frames, no payload. */
export function waitingRuns(folder: string): WaitingRuns[] {
  const layout = storeLayout(folder);
  const found = new Map<string, WaitingRuns>();
  for (const { path, stem, opening, size } of spoolFiles(layout)) {
    // a process that lives sends by itself
    if (opening.targets.length === 0 || isAlive(Number(opening.pid))) continue;
    const cursor = readCursor(layout, stem);
    const waiting = waitingTargets(opening.targets, cursor, size);
    const runs = waiting.length === 0 ? 0 : bornIn(path);
    for (const target of waiting) {
      const key = targetKey(target);
      const onlyThere = target.view === "record" && !belongsHere(opening.targets, cursor);
      found.set(key, { url: target.url, runs: (found.get(key)?.runs ?? 0) + runs, onlyThere });
    }
  }
  return [...found.values()].filter(({ runs }) => runs > 0);
}

/** Goes from head to head; a file that another process has taken away holds none. */
function bornIn(path: string): number {
  const head = Buffer.alloc(9);
  let born = 0;
  try {
    const fd = openSync(path, "r");
    try {
      for (let at = 0; readSync(fd, head, 0, head.length, at) === head.length; at += head.length + head.readUInt32LE(0))
        if (head[8] === FRAME.born) born++;
    } finally {
      closeSync(fd);
    }
  } catch {
    return 0;
  }
  return born;
}
