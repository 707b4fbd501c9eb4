import { parsePackKey, RUNS_PREFIX } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { Log } from "../log.ts";
import { createRowWriter, isOfOnePack } from "../rebuild/row-writer.ts";
import { readChunk } from "../rebuild/run-readers.ts";
import { readVoidCopies } from "../retain/copy-order.ts";
import { expiryOf, type RetentionTimes } from "../retain/retention-times.ts";
import type { ReadStore } from "../store/object-store.ts";
import { readPackIndexFrom } from "./read-packs.ts";

/** Cursor: when a process last used the catalog to seal, milliseconds since the epoch. */
const ALIVE = "catalog:alive";
export const ALIVE_EVERY = 30_000;
/** A catalog in which nobody was alive for so long may be an older one. */
const SILENT_MS = 2 * ALIVE_EVERY;
/** By so much the clocks of store and processes may differ, and so long is a pack on its way. */
const SLACK_MS = 600_000;

interface CatchUpDeps {
  readonly store: ReadStore;
  readonly catalog: Pick<Catalog, "apply" | "get" | "cursor">;
  readonly times: RetentionTimes;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: Log;
}

export const noteAlive = ({ catalog, now }: Pick<CatchUpDeps, "catalog" | "now">): Promise<void> =>
  catalog.apply({ cursors: { [ALIVE]: String(now()) } });

/**
 * Puts the rows that a catalog lacks which was restored from an earlier state: of packs that the store got since a process last said in it
 * that it is alive. Without them late spans would begin a second history of their run. A catalog that was in use a moment ago is
 * taken as it is. Throws `StoreError` and `CatalogError`.
 */
export async function catchUp({ store, catalog, times, signal, now, log }: CatchUpDeps): Promise<void> {
  const alive = await catalog.cursor(ALIVE);
  if (alive === null || now() - Number(alive) < SILENT_MS) return;
  const since = Number(alive) - SLACK_MS;
  const rows = createRowWriter(store, catalog, await readVoidCopies(store));
  const done = { packs: 0, runs: 0 };

  async function takeRows(key: string): Promise<number> {
    const index = await readPackIndexFrom(store, key);
    const { wanted } = await rows.wanted(key, index);
    for (const entry of wanted) {
      signal.throwIfAborted();
      const { tenant, class: kept } = index;
      const { offset, length } = entry;
      const bytes = await store.getRange(key, offset, length);
      const { runs, failed } = readChunk({ tenant, class: kept, key, offset, entries: [entry], bytes });
      for (const { run, error } of [...failed, ...(await rows.put(runs)).refused])
        log("error", "catalog.run-unreadable", { key, run, error });
    }
    return wanted.length;
  }

  for await (const { key, modified } of store.list(RUNS_PREFIX)) {
    signal.throwIfAborted();
    if (parsePackKey(key) === null || modified < since || (expiryOf(key, times) ?? Infinity) <= now()) continue;
    try {
      const taken = await takeRows(key);
      if (taken > 0) done.packs++;
      done.runs += taken;
    } catch (error) {
      if (!isOfOnePack(error)) throw error;
      if (error.code !== "NO_OBJECT") log("error", "catalog.pack-unreadable", { key, error });
    }
  }
  if (done.runs > 0) log("warn", "catalog.older-than-store", { ...done, since });
}
