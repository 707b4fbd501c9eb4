import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CatalogError } from "../catalog-error.ts";
import type { Catalog, CatalogChange, CatalogReader } from "../catalog.ts";
import { type ChangeOutcome, isInConflict, isRemovalInConflict } from "../change-outcome.ts";
import { LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS } from "../filter.ts";
import { runNotes } from "../run-note.ts";
import { comparable, LIST_OF, NUMBER_OF, TEXT_OF } from "../row-fields.ts";
import type { RunRow } from "../run-row.ts";
import { createFacetCounts } from "./sqlite-facets.ts";
import { type CatalogQueries, type Now, queriesOn } from "./sqlite-queries.ts";
import { numberOf, runOf, textOf } from "./sqlite-row.ts";
import { prepareTables } from "./sqlite-tables.ts";

/** Statistics are made after so many rows, and again each time their number has doubled. */
const FIRST_ANALYSIS = 1000;
/** Bytes: of a page, and of pages between two checkpoints. */
const PAGE = 2048;
const CHECKPOINT = 32 * 1024 ** 2;

/** SQLite's results for a file that is no database, or one whose pages contradict each other. */
const DAMAGED = [11, 26];

/** The port without waiting: what runs on the catalog's own thread. */
export type CatalogStore = CatalogQueries & {
  [Method in Exclude<keyof Catalog, "apply" | keyof CatalogReader>]: Now<Catalog[Method]>;
} & {
  apply(changes: readonly CatalogChange[]): readonly ChangeOutcome[];
};

/** Opens or makes the file. Throws `CatalogError` with `DAMAGED`, `UNUSABLE` or `NEWER_CATALOG`. */
export function openStore(file: string): CatalogStore {
  const db = open(file);
  const columns = ["tenant", "revision", "complete", "changed", ...TEXT_FIELDS, ...NUMBER_FIELDS];
  const upsert = db.prepare(
    `INSERT INTO runs (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
     ON CONFLICT (tenant, run) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}
     WHERE excluded.revision >= runs.revision RETURNING id`,
  );
  const getRow = db.prepare("SELECT row FROM run_rows WHERE id = (SELECT id FROM runs WHERE tenant = ? AND run = ?)");
  const setRow = db.prepare("INSERT OR REPLACE INTO run_rows (id, row) VALUES (?, ?)");
  const dropRow = db.prepare("DELETE FROM run_rows WHERE id = ? RETURNING row");
  const countChange = db.prepare("UPDATE changes SET last = last + 1 RETURNING last");
  const dropValues = db.prepare("DELETE FROM run_values WHERE id = ?");
  const addValue = db.prepare("INSERT OR IGNORE INTO run_values (field, value, id) VALUES (?, ?, ?)");
  const dropText = db.prepare("DELETE FROM run_text WHERE rowid = ?");
  const addText = db.prepare("INSERT INTO run_text (rowid, text) VALUES (?, ?)");
  const drop = db.prepare("DELETE FROM runs WHERE tenant = ? AND run = ? RETURNING id");
  const setCursor = db.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES (?, ?)");
  const dropNotes = db.prepare("DELETE FROM cursors WHERE name >= ? AND name < ?");
  const getCursor = db.prepare("SELECT value FROM cursors WHERE name = ?");
  const takeLease = db.prepare(
    `INSERT INTO leases (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
     SET owner = excluded.owner, until = excluded.until WHERE leases.owner = excluded.owner OR leases.until <= ?`,
  );

  const takeFence = db.prepare(
    "INSERT INTO fences VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1 RETURNING epoch",
  );
  const getFence = db.prepare("SELECT epoch FROM fences WHERE name = ?");

  const facets = createFacetCounts(db);

  function put(row: RunRow, text: string | undefined): void {
    const before = getRow.get(comparable(row.tenant), comparable(row.run));
    const texts = TEXT_FIELDS.map((name) => orNull(TEXT_OF[name](row)));
    const numbers = NUMBER_FIELDS.map((name) => NUMBER_OF[name](row));
    const last = numberOf(countChange.get(), "last");
    const facts = [comparable(row.tenant), row.revision, row.complete ? 1 : 0, last];
    const stored = upsert.get(...facts, ...texts, ...numbers);
    if (!stored) return;
    const id = numberOf(stored, "id");
    if (before) facets.add(runOf(before), -1);
    facets.add(row, 1);
    setRow.run(id, JSON.stringify(row));
    dropValues.run(id);
    for (const name of LIST_FIELDS) for (const value of LIST_OF[name](row)) addValue.run(name, comparable(value), id);
    if (text === undefined) return;
    dropText.run(id);
    addText.run(id, comparable(text));
  }

  function storedRow({ tenant, run }: Pick<RunRow, "tenant" | "run">): RunRow | null {
    const found = getRow.get(comparable(tenant), comparable(run));
    return found ? runOf(found) : null;
  }

  function change({ fence, upsert: rows, remove, cursors }: CatalogChange): ChangeOutcome {
    if (fence && getFence.get(fence.name)?.["epoch"] !== fence.epoch) return "fenced";
    if (rows?.some((each) => (each.isNew || each.ifPart !== undefined) && isInConflict(each, storedRow(each.row))))
      return "conflict";
    if (remove?.some((each) => each.ifPart && isRemovalInConflict(each, storedRow(each)))) return "conflict";
    for (const { row, text } of rows ?? []) put(row, text);
    for (const { tenant, run } of remove ?? []) {
      dropNotes.run(...runNotes(tenant, run));
      const gone = drop.get(comparable(tenant), comparable(run));
      if (!gone) continue;
      const id = numberOf(gone, "id");
      facets.add(runOf(dropRow.get(id)), -1);
      dropValues.run(id);
      dropText.run(id);
    }
    for (const [name, value] of Object.entries(cursors ?? {})) setCursor.run(name, value);
    return "applied";
  }

  let changed = 0;
  let analysedAt = FIRST_ANALYSIS;
  /** Without statistics SQLite takes the index of the tenant, which is every run where there is one tenant. */
  function analyse(): void {
    if (changed < analysedAt) return;
    analysedAt = changed * 2;
    db.exec("PRAGMA optimize = 0x10002");
  }

  return {
    apply(changes) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const applied = changes.map(change);
        facets.save();
        db.exec("COMMIT");
        changed += changes.reduce((sum, { upsert: rows }) => sum + (rows?.length ?? 0), 0);
        analyse();
        return applied;
      } catch (error) {
        facets.forget();
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    ...queriesOn(db),
    cursor(name) {
      const found = getCursor.get(name);
      return found ? textOf(found, "value") : null;
    },
    lease: (name, owner, forMs) => takeLease.run(name, owner, Date.now() + forMs, Date.now()).changes === 1,
    fence: (name) => numberOf(takeFence.get(name), "epoch"),
    close: () => db.close(),
  };
}

const orNull = (text: string | null) => (text === null ? null : comparable(text));

function open(file: string): DatabaseSync {
  try {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
    const db = new DatabaseSync(file);
    // Ids are drawn: a row changes a page in each of two indexes, whatever its size. Files with larger pages keep them.
    db.exec(`PRAGMA page_size = ${PAGE}`);
    // FULL: a transaction that was answered survives a power cut
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000");
    // What is written twice between two checkpoints is written once.
    const page = numberOf(db.prepare("PRAGMA page_size").get(), "page_size");
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT / page}; PRAGMA cache_size = -16384`);
    prepareTables(db);
    db.exec("PRAGMA optimize = 0x10002");
    return db;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    const errcode = cause instanceof Error && "errcode" in cause ? cause.errcode : undefined;
    const isDamaged = typeof errcode === "number" && DAMAGED.includes(errcode & 0xff);
    throw new CatalogError(isDamaged ? "DAMAGED" : "UNUSABLE", `the catalog ${file} cannot be used: ${why}`, { cause });
  }
}
