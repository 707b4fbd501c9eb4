import { isDeepStrictEqual } from "node:util";
import type { Catalog, CatalogAddress } from "../catalog/catalog.ts";
import { EVERYTHING } from "../catalog/filter.ts";
import {
  assertUnused,
  catalogAddress,
  draftOf,
  openCatalog,
  openCatalogIfThere,
  removeCatalog,
  replaceCatalog,
} from "../catalog/open-catalog.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { lockJournal, type LockedJournal } from "../journal/open-journal.ts";
import type { Log } from "../log.ts";
import { prepareFolder } from "../open/prepare-folder.ts";
import { isComplete, rebuildCatalog } from "./rebuild-catalog.ts";
import { ASSEMBLER } from "../assemble/assembler-cursor.ts";
import { openStoreToRead } from "../store/open-store.ts";
import { newestEpoch } from "../store/store-owner.ts";

export interface RemadeCatalog {
  readonly packs: number;
  readonly runs: number;
  /** packs that cannot be read */
  readonly unreadable: number;
  /** the new rows beside those of before; null: there was no catalog that could be read */
  readonly rows: {
    readonly same: number;
    readonly changed: number;
    readonly added: number;
    readonly gone: number;
  } | null;
  /** false: some pack cannot be read, and the catalog of before stays */
  readonly replaced: boolean;
}

/**
 * Makes the catalog of a collector that does not run again from its packs, compares, and puts it in the place of the
 * old one. Where packs cannot be read the old one stays, unless `force`. Places in the journal are kept; destinations
 * with a filter begin again. Throws `JournalError` with `LOCKED`, or `CatalogError` with `IN_USE`, while a collector runs or another
 * catalog is made, and `StoreError`.
 */
export async function remakeCatalog(
  config: Pick<CollectorConfig, "data" | "catalog" | "store" | "s3" | "forward">,
  options: { log: Log; force?: boolean },
): Promise<RemadeCatalog> {
  prepareFolder(config.data);
  const journal = lockJournal(config);
  const old = catalogAddress(config);
  const fresh = draftOf(old);
  try {
    await assertUnused(old);
    // of another one that is being made, in a folder of its own
    await assertUnused(fresh);
    const { store, close } = await openStoreToRead(config.store, config.s3);
    const made = await openFresh(fresh);
    let isDone = false;
    try {
      const epoch = await newestEpoch(store);
      const rebuilt = await rebuildCatalog({
        store,
        catalog: made,
        epoch,
        goesOn: (of) => of === epoch,
        log: options.log,
      });
      isDone = true;
      const { of: _, ...done } = rebuilt;
      const before = await openCatalogIfThere(old);
      let rows: RemadeCatalog["rows"] = null;
      if (before !== null) {
        try {
          rows = await compare(before, made);
          await takeOver(before, made, config.forward, journal);
        } finally {
          await before.close();
        }
      }
      await made.close();
      const replaced = done.unreadable === 0 || options.force === true;
      if (replaced) {
        // rows of runs that were sealed since the packs were listed would be lost
        await assertUnused(old);
        await replaceCatalog(old, fresh);
      }
      return { ...done, rows, replaced };
    } finally {
      await made.close();
      close();
      if (isDone) await removeCatalog(fresh);
    }
  } finally {
    journal.unlock();
  }
}

/** A new catalog, or one that an earlier attempt has left incomplete, to go on with it. */
async function openFresh(address: CatalogAddress): Promise<Catalog> {
  const left = await openCatalogIfThere(address);
  if (left !== null && !(await isComplete(left))) return left;
  await left?.close();
  await removeCatalog(address);
  return openCatalog(address);
}

async function compare(before: Catalog, after: Catalog): Promise<NonNullable<RemadeCatalog["rows"]>> {
  const rows = { same: 0, changed: 0, added: 0, gone: 0 };
  for await (const row of rowsOf(after)) {
    const old = await before.get(row.tenant, row.run);
    if (old === null) rows.added++;
    else if (isDeepStrictEqual(old, row)) rows.same++;
    else rows.changed++;
  }
  for await (const { tenant, run } of rowsOf(before)) if ((await after.get(tenant, run)) === null) rows.gone++;
  return rows;
}

async function* rowsOf(catalog: Catalog): AsyncGenerator<RunRow> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Catalog["find"]>> = await catalog.find(
      { filter: EVERYTHING },
      { limit: 1000, after },
    );
    yield* page.rows;
    after = page.next;
  } while (after !== null);
}

/** Cursors that count rows say nothing in a new catalog; those that name a place in the journal do. */
async function takeOver(
  before: Catalog,
  after: Catalog,
  forward: CollectorConfig["forward"],
  journal: Pick<LockedJournal, "end" | "position">,
): Promise<void> {
  const cursors: Record<string, string> = {};
  for (const name of [ASSEMBLER, ...forward.map((each) => `forward:${each.name}:received`)]) {
    const place = await before.cursor(name);
    const position = journal.position(place);
    // one past the end is of a journal that was lost
    if (position !== null && position <= journal.end) cursors[name] = position;
  }
  await after.apply({ cursors });
}
