import type { Catalog } from "../catalog/catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { RANK } from "../retain/choose-class.ts";
import { compareCopies, copyOf, loweredKey, type RunCopy } from "../retain/copy-order.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { commitRuns } from "./commit-runs.ts";
import type { PackPruner } from "./pack-pruner.ts";
import { packEntryOf } from "./read-newest.ts";
import { sealedRunsOf } from "./read-packs.ts";
import type { SealedRun } from "./sealed-run.ts";

/**
 * Puts rows for a pack that an earlier process was writing when it ended, for the runs of which the catalog has no newer
 * copy. Resolves to their number; null: the pack was never written.
 */
export async function takeLeft(
  key: string,
  deps: {
    readonly store: ObjectStore;
    readonly catalog: Pick<Catalog, "apply" | "get">;
    readonly pruner: Pick<PackPruner, "note" | "superseded">;
  },
): Promise<number | null> {
  const { store, catalog, pruner } = deps;
  if ((await store.head(key)) === null) return null;
  const runs: SealedRun[] = [];
  const superseded = new Set<string>();
  for await (const run of sealedRunsOf(store, key)) {
    const row = await catalog.get(run.tenant, run.header.run);
    const { header, receipt } = run;
    const entry = { run: header.run, revision: run.part.revision, raw: header.spans.raw, receipt };
    const copy = copyOf(entry, run.class);
    if (row?.state === "sealed" && !(await isNewer(store, copy, run, row))) continue;
    if (row && RANK[run.class] < RANK[row.class])
      await store.put(loweredKey(row.tenant, row.run, copy), Buffer.from("{}"));
    runs.push(run);
    for (const other of [...(row?.parts ?? []).map((part) => part.key), ...(run.receipt.earlier ?? [])])
      if (other !== key) superseded.add(other);
  }
  await pruner.note(superseded);
  await commitRuns(catalog, runs);
  pruner.superseded(superseded);
  return runs.length;
}

/** Whether the copy is newer than that of the row. True as well if it is the same one, whose row may lack its marks. */
async function isNewer(store: ObjectStore, copy: RunCopy, { part }: SealedRun, row: RunRow): Promise<boolean> {
  const now = row.parts.at(-1);
  if (!now || row.revision !== copy.revision) return row.revision < copy.revision;
  if (now.key === part.key) return true;
  try {
    return compareCopies(copy, copyOf(await packEntryOf(store, row.run, now), row.class)) > 0;
  } catch (error) {
    if (error instanceof StoreError && error.code === "NO_OBJECT") return true;
    throw error;
  }
}
