import type { Catalog } from "../catalog/catalog.ts";
import { rowOf } from "../catalog/row-of.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Position } from "../journal/journal.ts";
import type { SealedRun } from "./sealed-run.ts";

/** Name of the assembler's cursor in the catalog. */
export const ASSEMBLER = "assembler";

export const catalogRow = (run: SealedRun): RunRow =>
  rowOf(run.manifest, run.index, {
    tenant: run.tenant,
    class: run.class,
    rule: run.rule,
    received: run.receipt.first,
    // A revision holds the whole run: the newest part is all of it.
    parts: [run.part],
  });

/** Rows of sealed runs and how far the assembler has come, in one transaction. */
export async function commitRuns(
  catalog: Pick<Catalog, "apply">,
  runs: readonly SealedRun[],
  cursor?: Position,
): Promise<void> {
  await catalog.apply({
    upsert: runs.map((run) => ({ row: catalogRow(run), text: run.index.text })),
    ...(cursor && { cursors: { [ASSEMBLER]: `${cursor.segment}:${cursor.offset}` } }),
  });
}
