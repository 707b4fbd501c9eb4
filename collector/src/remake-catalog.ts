import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "./catalog/catalog.ts";
import { CatalogError } from "./catalog/catalog-error.ts";
import { openSqliteCatalog } from "./catalog/drivers/sqlite.ts";
import { EVERYTHING } from "./catalog/filter.ts";
import type { RunRow } from "./catalog/run-row.ts";
import type { CollectorConfig } from "./config-schema.ts";
import { readPosition } from "./forward/journal-source.ts";
import { lockFolder } from "./journal/folder-lock.ts";
import { comparePositions, JOURNAL_START, type Position } from "./journal/journal.ts";
import { segmentPath, segmentsAmong } from "./journal/segment-name.ts";
import type { Log } from "./log.ts";
import { prepareFolder } from "./prepare-folder.ts";
import { isComplete, rebuildCatalog } from "./rebuild/rebuild-catalog.ts";
import { ASSEMBLER } from "./seal/commit-runs.ts";
import { openStoreToRead } from "./store/open-store.ts";
import { newestEpoch } from "./store/store-owner.ts";

const FILES = ["", "-wal", "-shm"] as const;

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
 * with a filter begin again. Throws `JournalError` with `LOCKED` while a collector runs, and `StoreError`.
 */
export async function remakeCatalog(
  config: Pick<CollectorConfig, "data" | "store" | "s3" | "forward">,
  options: { log: Log; force?: boolean },
): Promise<RemadeCatalog> {
  const journal = join(config.data, "journal");
  prepareFolder(config.data);
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(journal);
  const file = join(config.data, "catalog.sqlite");
  const fresh = `${file}.new`;
  try {
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
      const before = existsSync(file) ? await openOrNull(file) : null;
      let rows: RemadeCatalog["rows"] = null;
      if (before !== null) {
        try {
          rows = await compare(before, made);
          await takeOver(before, made, config.forward, endOf(journal));
        } finally {
          await before.close();
        }
      }
      await made.close();
      const replaced = done.unreadable === 0 || options.force === true;
      if (replaced) {
        remove(file);
        renameSync(fresh, file);
      }
      return { ...done, rows, replaced };
    } finally {
      await made.close();
      close();
      if (isDone) remove(fresh);
    }
  } finally {
    unlock();
  }
}

function remove(file: string): void {
  for (const end of FILES) rmSync(file + end, { force: true });
}

function endOf(journal: string): Position {
  const segment = segmentsAmong(readdirSync(journal)).at(-1);
  return segment === undefined ? JOURNAL_START : { segment, offset: statSync(segmentPath(journal, segment)).size };
}

/** A new catalog, or one that an earlier attempt has left incomplete, to go on with it. */
async function openFresh(file: string): Promise<Catalog> {
  const left = await openOrNull(file);
  if (left !== null && !(await isComplete(left))) return left;
  await left?.close();
  remove(file);
  return openSqliteCatalog({ file });
}

/** null: the file cannot be opened. */
async function openOrNull(file: string): Promise<Catalog | null> {
  try {
    return await openSqliteCatalog({ file });
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
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
  end: Position,
): Promise<void> {
  const cursors: Record<string, string> = {};
  for (const name of [ASSEMBLER, ...forward.map((each) => `forward:${each.name}:received`)]) {
    const place = await before.cursor(name);
    const position = readPosition(place);
    // one past the end is of a journal that was lost
    if (place !== null && position !== null && comparePositions(position, end) <= 0) cursors[name] = place;
  }
  await after.apply({ cursors });
}
