import { spoolFiles } from "./claim.ts";
import { isAlive } from "../process/is-alive.ts";
import { belongsHere, readCursor } from "../spool/cursor.ts";
import { pidSpace } from "../process/pid-space.ts";
import { storeLayout } from "../config/store-layout.ts";

/**
 * Ids of the processes that live and write into a store's spool what the store is to have: it is sealed when they end. A
 * spool that cannot be read names none.
 */
export function stillRecording(folder: string): number[] {
  const layout = storeLayout(folder);
  try {
    const pids = spoolFiles(layout).flatMap(({ stem, opening }) => {
      const pid = Number(opening.pid);
      const told = opening.pidSpace === undefined || opening.pidSpace === pidSpace();
      const cursor = readCursor(layout, stem);
      return told && isAlive(pid) && belongsHere(opening.targets, cursor) && !cursor.sealed ? [pid] : [];
    });
    return [...new Set(pids)];
  } catch {
    return [];
  }
}
