import type { SealJob } from "../assemble/seal-job.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { rowOf } from "../catalog/row-of.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { PackPruner } from "./pack-pruner.ts";
import type { PackItem } from "./packer.ts";
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
    ...(cursor && { cursors: { [ASSEMBLER]: cursor } }),
  });
}

export interface RunCommits {
  /** Makes the runs of one pack known; `same` false: the pack was there already, with receipts of its own. */
  pack(runs: readonly SealedRun[], items: readonly PackItem[], same: boolean): Promise<void>;
  /** The catalog has the run of this job. */
  has(job: SealJob): boolean;
  /** Saves how far the assembler has come, if nothing was committed for a while. */
  saveCursor(): Promise<void>;
}

interface RunCommitsDeps {
  readonly catalog: Catalog;
  readonly cursor: (done: readonly SealJob[], marked: readonly MarkChange[]) => Position;
  readonly pruner: Pick<PackPruner, "note" | "superseded">;
  /** shared with everything that moves runs from one pack to another */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly elapsed: () => number;
}

const CURSOR_EVERY = 5_000;

/** Brings packs into the catalog, together with the assembler's cursor. */
export function createRunCommits({ catalog, cursor, pruner, alone, elapsed }: RunCommitsDeps): RunCommits {
  const committed = new WeakSet<SealJob>();
  let saved = "";
  let savedAt = elapsed();

  async function commit(
    runs: readonly SealedRun[],
    done: readonly SealJob[],
    marked: readonly MarkChange[],
  ): Promise<void> {
    const position = cursor(done, marked);
    await commitRuns(catalog, runs, position);
    for (const job of done) committed.add(job);
    saved = position;
    savedAt = elapsed();
  }

  return {
    async pack(runs, items, same) {
      const done = items.map(({ job }) => job);
      const marked = same ? items.flatMap(({ taken }) => taken) : [];
      const later = items.filter(({ hasPrevious }) => hasPrevious);
      if (later.length === 0) return commit(runs, done, marked);
      // nothing is moved to another pack between this look at the rows and their change
      await alone(async () => {
        const rows = await Promise.all(later.map(({ job }) => catalog.get(job.tenant, job.run)));
        const superseded = new Set(rows.flatMap((row) => row?.parts.map(({ key }) => key) ?? []));
        await pruner.note(superseded);
        await commit(runs, done, marked);
        pruner.superseded(superseded);
      });
    },
    has: (job) => committed.has(job),
    async saveCursor() {
      if (elapsed() - savedAt >= CURSOR_EVERY && saved !== cursor([], [])) await commit([], [], []);
    },
  };
}
