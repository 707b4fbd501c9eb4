import type { JournalShare, SealJob } from "../assemble/seal-job.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { rowOf } from "../catalog/row-of.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { JOURNAL_START, type Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { ReadStore } from "../store/object-store.ts";
import { PackConflict } from "./pack-conflict.ts";
import type { PackPruner } from "./pack-pruner.ts";
import type { PackItem } from "./packer.ts";
import { packEntryOf, readNewest, type RestoreRow } from "./read-newest.ts";
import type { SealedRun } from "./sealed-run.ts";

export const catalogRow = (run: SealedRun): RunRow =>
  rowOf(run.manifest, run.index, {
    tenant: run.tenant,
    class: run.class,
    rule: run.rule,
    received: run.receipt.first,
    // A revision holds the whole run: the newest part is all of it.
    parts: [run.part],
  });

/** Rows of sealed runs and how far their assembler has come, in one transaction. Throws `CatalogError`: `FENCED`, and `CONFLICT` with a place. */
export async function commitRuns(
  catalog: Pick<Catalog, "apply">,
  runs: readonly SealedRun[],
  place?: { readonly share: JournalShare; readonly position: Position },
): Promise<void> {
  await catalog.apply({
    upsert: runs.map((run) => ({ row: catalogRow(run), text: run.index.text, ...(place && { isNew: true }) })),
    ...(place && { cursors: { [place.share.name]: place.position } }),
    ...(place?.share.fence && { fence: place.share.fence }),
  });
}

export interface RunCommits {
  /**
   * Makes the runs of one pack known, all of one share; `same` false: the pack was there already, with receipts of its own. Resolves to
   * those that it left out, since the catalog has other spans of them that were sealed meanwhile elsewhere.
   */
  pack(runs: readonly SealedRun[], items: readonly PackItem[], same: boolean): Promise<readonly PackConflict[]>;
  /** The catalog has the run of this job. */
  has(job: SealJob): boolean;
  /** Saves how far the assemblers have come for which nothing was committed for a while. */
  saveCursors(): Promise<void>;
}

interface RunCommitsDeps {
  readonly store: ReadStore;
  readonly catalog: Catalog;
  readonly shares: () => readonly JournalShare[];
  readonly pruner: Pick<PackPruner, "note" | "superseded">;
  /** shared with everything that moves runs from one pack to another */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly restoreRow: RestoreRow;
  readonly elapsed: () => number;
}

const CURSOR_EVERY = 5_000;

/** Brings packs into the catalog, together with the cursor of their assembler. */
export function createRunCommits({
  store,
  catalog,
  shares,
  pruner,
  alone,
  restoreRow,
  elapsed,
}: RunCommitsDeps): RunCommits {
  const committed = new WeakSet<SealJob>();
  const saved = new WeakMap<JournalShare, { readonly position: Position; readonly at: number }>();

  async function commit(
    share: JournalShare,
    runs: readonly SealedRun[],
    done: readonly SealJob[],
    marked: readonly MarkChange[],
  ): Promise<void> {
    const position = share.cursor(done, marked);
    await commitRuns(catalog, runs, { share, position });
    for (const job of done) committed.add(job);
    saved.set(share, { position, at: elapsed() });
  }

  async function saveCursor(share: JournalShare): Promise<void> {
    const last = saved.get(share);
    if (last === undefined) return void saved.set(share, { position: JOURNAL_START, at: elapsed() });
    if (elapsed() - last.at >= CURSOR_EVERY && last.position !== share.cursor()) await commit(share, [], [], []);
  }

  /** Of runs that the catalog has in a later revision, or in this one with other spans. */
  async function conflictsOf(runs: readonly SealedRun[]): Promise<PackConflict[]> {
    const found = runs.map(async ({ tenant, header: { run }, part }) => {
      const newest = await readNewest(catalog, { tenant, run }, (now) => packEntryOf(store, run, now), restoreRow);
      if (!newest?.found || newest.row.revision < part.revision) return [];
      // a later revision may have the same spans: it was sealed behind a pack that nobody had committed yet
      if (newest.row.revision === part.revision && newest.part.content === part.content) return [];
      return [new PackConflict(newest.part.key, newest.found, true)];
    });
    return (await Promise.all(found)).flat();
  }

  async function commitPack(runs: readonly SealedRun[], items: readonly PackItem[], same: boolean): Promise<void> {
    const done = items.map(({ job }) => job);
    const marked = same ? items.flatMap(({ taken }) => taken) : [];
    const later = items.filter(({ hasPrevious }) => hasPrevious);
    const share = done[0]?.share;
    if (!share) return;
    if (later.length === 0) return commit(share, runs, done, marked);
    // nothing is moved to another pack between this look at the rows and their change
    await alone(async () => {
      const rows = await Promise.all(later.map(({ job }) => catalog.get(job.tenant, job.run)));
      const superseded = new Set(rows.flatMap((row) => row?.parts.map(({ key }) => key) ?? []));
      await pruner.note(superseded);
      await commit(share, runs, done, marked);
      pruner.superseded(superseded);
    });
  }

  return {
    async pack(runs, items, same) {
      try {
        await commitPack(runs, items, same);
        return [];
      } catch (error) {
        if (!(error instanceof CatalogError) || error.code !== "CONFLICT") throw error;
        const conflicts = await conflictsOf(runs);
        // the row has changed once more
        if (conflicts.length === 0) throw error;
        const isLeft = (run: string) => !conflicts.some(({ entry }) => entry.run === run);
        await commitPack(
          runs.filter(({ header }) => isLeft(header.run)),
          items.filter(({ job }) => isLeft(job.run)),
          same,
        );
        return conflicts;
      }
    },

    has: (job) => committed.has(job),
    async saveCursors() {
      for (const share of shares()) await saveCursor(share);
    },
  };
}
