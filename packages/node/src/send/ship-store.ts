import { readConfig } from "../config/config.ts";
import { storeLayout } from "../config/store-layout.ts";
import { spoolFiles } from "../seal/claim.ts";
import { destinationsOf } from "./destinations.ts";
import { makeRoom } from "./make-room.ts";
import { type ShipReport, shipSpools } from "./ship-spools.ts";

export type { ShippedRun, ShipReport } from "./ship-spools.ts";

export interface ShipStoreOptions {
  /** the environment that keys and headers come from */
  env: Readonly<Record<string, string | undefined>>;
  /** also files of dead processes that were started with `REENACT_LAUNCH` set to this */
  launch?: string;
  /** how long a destination that takes nothing is tried again, milliseconds; default 2000 */
  waitBudgetMs?: number;
  signal?: AbortSignal;
  /** give header and manifest of what was sent. Default false */
  describe?: boolean;
}

/** Sends what waits in the spool of a store to where it was meant for. Throws when the spool cannot be read. */
export async function shipStore(folder: string, options: ShipStoreOptions): Promise<ShipReport> {
  const { env, launch, waitBudgetMs = 2000, signal = new AbortController().signal, describe = false } = options;
  const layout = storeLayout(folder);
  // also a file of which all is sent: a launcher is told of its runs
  const isMeant = spoolFiles(layout).some(({ opening }) => opening.targets.length > 0);
  if (!isMeant) return { sent: [], waiting: [], held: [], refused: [], dropped: 0 };
  const { destinations } = destinationsOf(readConfig(env).config, env);
  const report = await shipSpools(layout, {
    known: destinations,
    waitBudgetMs,
    signal,
    describe,
    ...(launch !== undefined && { launch }),
  });
  if (report.waiting.length > 0) report.dropped = makeRoom(layout, null).runs;
  return report;
}
