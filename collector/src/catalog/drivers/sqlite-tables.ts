import type { DatabaseSync } from "node:sqlite";
import { CatalogError } from "../catalog-error.ts";
import { NUMBER_FIELDS, TEXT_FIELDS } from "../filter.ts";
import { FACET_TABLE, FILL_FACETS } from "./sqlite-facets.ts";
import { numberOf } from "./sqlite-row.ts";

const VERSION = 4;

/**
 * For lists and counts of one tenant by the most used filters, each in the order of a list: SQLite chooses them without statistics
 * too, and reads a page without a sort.
 */
const INDEXES = `
CREATE INDEX runs_tenant ON runs (tenant, started DESC, run);
CREATE INDEX runs_tenant_status ON runs (tenant, status, started DESC, run);
CREATE INDEX runs_tenant_name ON runs (tenant, name, started DESC, run);
CREATE INDEX runs_tenant_user ON runs (tenant, user, started DESC, run) WHERE user IS NOT NULL;
CREATE INDEX runs_tenant_session ON runs (tenant, session, started DESC, run) WHERE session IS NOT NULL;
CREATE INDEX runs_tenant_fingerprint ON runs (tenant, fingerprint, started DESC, run) WHERE fingerprint IS NOT NULL;
`;

const SCHEMA = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  revision INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  ${TEXT_FIELDS.map((name) => `${name} TEXT`).join(",\n  ")},
  ${NUMBER_FIELDS.map((name) => `${name} REAL`).join(",\n  ")},
  -- ids are drawn: every index that begins with one is written all over, so there is one, for those who name no tenant too
  UNIQUE (run, tenant)
);
CREATE TABLE run_rows (id INTEGER PRIMARY KEY, row TEXT NOT NULL);
${INDEXES}
${FACET_TABLE}
CREATE INDEX runs_started ON runs (started DESC, run, tenant);
CREATE INDEX runs_class ON runs (class, received);
CREATE UNIQUE INDEX runs_changed ON runs (changed);
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES (0);
CREATE TABLE run_values (
  field TEXT NOT NULL, value TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (field, value, id)
) WITHOUT ROWID;
CREATE INDEX run_values_id ON run_values (id);
CREATE VIRTUAL TABLE run_text USING fts5 (text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
-- each merge writes its segments anew: twice as rarely as by default, for a look into four times as many of them
INSERT INTO run_text (run_text, rank) VALUES ('automerge', 16);
CREATE TABLE cursors (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`;

/** Not among the tables of a version: an older collector goes on without it. */
const FENCES = "CREATE TABLE IF NOT EXISTS fences (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID";

/** Makes the tables of a new file; refuses those of a newer version. */
export function prepareTables(db: DatabaseSync): void {
  prepareVersion(db);
  db.exec(FENCES);
}

function prepareVersion(db: DatabaseSync): void {
  const found = numberOf(db.prepare("PRAGMA user_version").get(), "user_version");
  if (found === VERSION) return;
  if (found >= 1 && found < VERSION) {
    db.exec("BEGIN EXCLUSIVE");
    if (found === 1) db.exec("ALTER TABLE runs ADD COLUMN errors REAL");
    if (found < 3) {
      for (const name of ["tenant", "status", "user", "session", "fingerprint"])
        db.exec(`DROP INDEX IF EXISTS runs_${name}`);
      db.exec(INDEXES);
    }
    db.exec(`${FACET_TABLE} ${FILL_FACETS} PRAGMA user_version = ${VERSION}; COMMIT`);
    return;
  }
  if (found !== 0)
    throw new CatalogError("NEWER_CATALOG", `the catalog has version ${found}, this collector knows ${VERSION}`);
  db.exec("BEGIN EXCLUSIVE");
  db.exec(SCHEMA);
  db.exec("COMMIT");
}
