import { EnvelopeError } from "@reenact/envelope";
import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import type { RetentionTimes } from "../retain/retention-times.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { catalogRow } from "./commit-runs.ts";
import { findCopy } from "./find-copy.ts";
import type { RestoreRow } from "./read-newest.ts";
import { sealedRunOf } from "./read-packs.ts";
import type { SealedRun } from "./sealed-run.ts";

interface RestoreRowDeps {
  readonly store: ReadStore;
  readonly catalog: Pick<Catalog, "apply">;
  readonly times: RetentionTimes;
  readonly now: () => number;
  readonly log: Log;
}

export function createRestoreRow({ store, catalog, times, now, log }: RestoreRowDeps): RestoreRow {
  async function copyFor(row: RunRow): Promise<SealedRun | null> {
    try {
      const found = await findCopy(store, row, { times, now: now() });
      if (found === null) return null;
      const { key, entry } = found;
      const pack = { tenant: row.tenant, class: found.class, key };
      return sealedRunOf(pack, entry, await store.getRange(key, entry.offset, entry.length));
    } catch (error) {
      // a damaged pack may be the one that has the run: what came late is set aside, and not waited for
      if (!(error instanceof EnvelopeError)) throw error;
      throw new StoreError("DAMAGED", `packs of ${row.tenant}`, error.message, { cause: error });
    }
  }

  return async (row) => {
    const sealed = await copyFor(row);
    if (sealed === null) return false;
    const { tenant, run } = row;
    const ifPart = row.parts.at(-1);
    const facts = { tenant, run, named: ifPart?.key, found: sealed.part.key };
    if (sealed.part.revision < row.revision)
      log("error", "catalog.pack-lost", { ...facts, next: "restore the object from a backup or a version" });
    else {
      const next = "the catalog is older than the store: stop the collector and run reenact catalog rebuild";
      log("error", "catalog.row-behind", { ...facts, next });
    }
    // a row of a lower revision would change nothing, and this would be done without end
    const restored = { ...catalogRow(sealed), revision: Math.max(row.revision, sealed.part.revision) };
    try {
      await catalog.apply({ upsert: [{ row: restored, text: sealed.index.text, ...(ifPart && { ifPart }) }] });
    } catch (error) {
      // somebody else has changed it: the caller reads it again
      if (!(error instanceof CatalogError) || error.code !== "CONFLICT") throw error;
    }
    return true;
  };
}
