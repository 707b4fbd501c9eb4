import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Log } from "../log.ts";
import type { RetentionTimes } from "../retain/retention-times.ts";
import type { ReadStore } from "../store/object-store.ts";
import { catalogRow } from "./commit-runs.ts";
import { findCopy } from "./find-copy.ts";
import type { RestoreRow } from "./read-newest.ts";
import { sealedRunOf } from "./read-packs.ts";

interface RestoreRowDeps {
  readonly store: ReadStore;
  readonly catalog: Pick<Catalog, "apply">;
  readonly times: RetentionTimes;
  readonly now: () => number;
  readonly log: Log;
}

export function createRestoreRow({ store, catalog, times, now, log }: RestoreRowDeps): RestoreRow {
  return async (row) => {
    const found = await findCopy(store, row, { times, now: now() });
    if (found === null) return false;
    const { key, entry } = found;
    const { tenant, run } = row;
    const pack = { tenant, class: found.class, key };
    const sealed = sealedRunOf(pack, entry, await store.getRange(key, entry.offset, entry.length));
    const ifPart = row.parts.at(-1);
    const next = "the catalog is older than the store: stop the collector and run reenact catalog rebuild";
    log("error", "catalog.row-behind", { tenant, run, named: ifPart?.key, found: key, next });
    try {
      await catalog.apply({
        upsert: [{ row: catalogRow(sealed), text: sealed.index.text, ...(ifPart && { ifPart }) }],
      });
    } catch (error) {
      // somebody else has changed it: the caller reads it again
      if (!(error instanceof CatalogError) || error.code !== "CONFLICT") throw error;
    }
    return true;
  };
}
