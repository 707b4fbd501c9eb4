import type { Catalog } from "./catalog/catalog.ts";
import type { Log } from "./log.ts";
import { marksOf } from "./retain/marks-of.ts";
import { classPrefix } from "./retain/retention-times.ts";
import { commitRuns } from "./seal/commit-runs.ts";
import { packKeys, sealedRunsOf } from "./seal/read-packs.ts";
import type { SealedRun } from "./seal/sealed-run.ts";
import type { ReadStore } from "./store/object-store.ts";
import { StoreError } from "./store/store-error.ts";

const BATCH = 500;
/** Set once the catalog has everything that the store had. */
const COMPLETE = "catalog:complete";

/** Makes the rows of a catalog that is new, or whose making was cut short. */
export async function completeCatalog(
  store: ReadStore,
  catalog: Pick<Catalog, "apply" | "cursor">,
  log: Log,
): Promise<void> {
  if ((await catalog.cursor(COMPLETE)) === null) await makeCatalog(store, catalog, log);
}

/** Makes all rows of a catalog that has none, and notes that they are all there. */
export async function makeCatalog(
  store: ReadStore,
  catalog: Pick<Catalog, "apply">,
  log: Log,
): Promise<{ packs: number; runs: number; unreadable: number }> {
  const done = await rebuildCatalog(store, catalog, log);
  await catalog.apply({ cursors: { [COMPLETE]: String(done.packs) } });
  return done;
}

/**
 * Puts a row for every run in the store: the same rows as before, if nothing was there. A pack that cannot be read is
 * told of and passed over; a store that cannot be reached ends it.
 */
async function rebuildCatalog(
  store: ReadStore,
  catalog: Pick<Catalog, "apply">,
  log: Log,
): Promise<{ packs: number; runs: number; unreadable: number }> {
  const done = { packs: 0, runs: 0, unreadable: 0 };
  // A run may have been copied: to a class that keeps longer, or with what was said of it later. That row is put last.
  for (const kept of ["short", "sample", "keep"] as const) {
    const marked: SealedRun[] = [];
    for await (const key of packKeys(store, classPrefix(kept))) {
      try {
        done.runs += await putPack(store, key, catalog, marked);
        done.packs++;
      } catch (error) {
        if (error instanceof StoreError && error.retryable) throw error;
        done.unreadable++;
        log("error", "catalog.pack-unreadable", { key, error });
      }
    }
    await commitRuns(
      catalog,
      marked.toSorted((a, b) => marksOf(a).length - marksOf(b).length),
    );
    done.runs += marked.length;
  }
  log("info", "catalog.rebuilt", done);
  return done;
}

/** Runs of which something was said later are left to the caller. */
async function putPack(
  store: ReadStore,
  key: string,
  catalog: Pick<Catalog, "apply">,
  marked: SealedRun[],
): Promise<number> {
  let runs = 0;
  let batch: SealedRun[] = [];
  const put = async () => {
    await commitRuns(catalog, batch);
    runs += batch.length;
    batch = [];
  };
  for await (const run of sealedRunsOf(store, key)) {
    if (marksOf(run).length > 0) marked.push(run);
    else batch.push(run);
    if (batch.length >= BATCH) await put();
  }
  await put();
  return runs;
}
