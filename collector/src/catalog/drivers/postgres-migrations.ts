import { CatalogError } from "../catalog-error.ts";
import { LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS } from "../filter.ts";
import type { Ask, PostgresPool } from "./postgres-pool.ts";

/** The oldest server that is supported; its version number. */
const OLDEST = 140_000;

const TEXT = `text COLLATE "C"`;

/**
 * Each one runs once, in this order, in one transaction. A published one is never changed: a change of tables is a further one.
 * Texts compare by their bytes (collation C), as they do in every other driver. `row` is `json` and not `jsonb`: it gives back what
 * was put, and `jsonb` takes no U+0000.
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE runs (
  month integer NOT NULL,
  run ${TEXT} NOT NULL,
  tenant ${TEXT} NOT NULL,
  revision integer NOT NULL,
  complete boolean NOT NULL,
  changed bigint NOT NULL,
  ${TEXT_FIELDS.filter((name) => name !== "run")
    .map((name) => `"${name}" ${TEXT}`)
    .join(",\n  ")},
  ${NUMBER_FIELDS.map((name) => `"${name}" double precision`).join(",\n  ")},
  ${LIST_FIELDS.map((name) => `"${name}" text[] COLLATE "C" NOT NULL`).join(",\n  ")},
  row json NOT NULL,
  words tsvector,
  word_text text,
  PRIMARY KEY (run, tenant, month)
) PARTITION BY LIST (month);
CREATE TABLE runs_other PARTITION OF runs FOR VALUES IN (0);
CREATE INDEX runs_tenant ON runs (tenant, started DESC, run);
CREATE INDEX runs_tenant_status ON runs (tenant, status, started DESC, run);
CREATE INDEX runs_tenant_name ON runs (tenant, name, started DESC, run);
CREATE INDEX runs_tenant_user ON runs (tenant, "user", started DESC, run) WHERE "user" IS NOT NULL;
CREATE INDEX runs_tenant_session ON runs (tenant, session, started DESC, run) WHERE session IS NOT NULL;
CREATE INDEX runs_tenant_fingerprint ON runs (tenant, fingerprint, started DESC, run) WHERE fingerprint IS NOT NULL;
CREATE INDEX runs_started ON runs (started DESC, run, tenant);
CREATE INDEX runs_class ON runs (class, received);
CREATE INDEX runs_changed ON runs (changed);
-- without a list of what is pending: a search would read all of it, and the planner would rather read the table
CREATE INDEX runs_lists ON runs USING gin (${LIST_FIELDS.map((name) => `"${name}"`).join(", ")}) WITH (fastupdate = off);
CREATE INDEX runs_words ON runs USING gin (words) WITH (fastupdate = off);
-- a run has one row in all partitions, and this says in which one
CREATE TABLE run_months (
  run ${TEXT} NOT NULL, tenant ${TEXT} NOT NULL, month integer NOT NULL, PRIMARY KEY (run, tenant)
);
CREATE TABLE facet_counts (
  tenant ${TEXT} NOT NULL, field ${TEXT} NOT NULL, value ${TEXT} NOT NULL, status ${TEXT} NOT NULL, runs bigint NOT NULL,
  PRIMARY KEY (tenant, field, value, status)
) WITH (fillfactor = 70);
-- one row: whoever changes runs takes it first, so that changes are numbered in the order in which they can be seen
CREATE TABLE changes (last bigint NOT NULL) WITH (fillfactor = 10);
INSERT INTO changes VALUES (0);
CREATE TABLE cursors (name ${TEXT} PRIMARY KEY, value text NOT NULL) WITH (fillfactor = 50);
CREATE TABLE leases (name ${TEXT} PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL);
`,
  `CREATE TABLE fences (name ${TEXT} PRIMARY KEY, epoch bigint NOT NULL)`,
];

/** Of the advisory locks of this driver: the class, before a hash of the schema's name. */
const LOCK = 0x5ee7;

/** One at a time of all processes that use the schema, until the transaction ends. */
export async function lockTables(ask: Ask, schema: string): Promise<void> {
  await ask("SELECT pg_advisory_xact_lock($1::int, hashtext($2))", [LOCK, schema]);
}

/**
 * Makes the tables, or brings older ones up to date. Throws `CatalogError`: `NEWER_CATALOG`, and `UNUSABLE` for a server that
 * cannot hold it.
 */
export async function migrate(pool: PostgresPool, schema: string): Promise<void> {
  await pool.transaction(async (ask) => {
    await checkServer(ask);
    await lockTables(ask, schema);
    await ask("SET LOCAL statement_timeout = 0");
    // asked first: a role that may not make schemas can use one that is there
    const version = await versionOf(ask, schema);
    if (version > MIGRATIONS.length)
      throw new CatalogError(
        "NEWER_CATALOG",
        `the catalog has version ${version}, this collector knows ${MIGRATIONS.length}`,
      );
    if (await hasSchema(ask, schema)) await refuseForeign(ask, schema);
    else await ask(`CREATE SCHEMA "${schema}"`);
    await ask(
      "CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
    );
    for (const [n, text] of MIGRATIONS.entries()) {
      if (n < version) continue;
      await ask(text);
      await ask("INSERT INTO migrations (version) VALUES ($1)", [n + 1]);
    }
  });
}

/** 0: it has no tables of a catalog. Asked before the tables are looked at: those of a later version are not all known here. */
async function versionOf(ask: Ask, schema: string): Promise<number> {
  const own = await ask(
    "SELECT FROM pg_tables WHERE schemaname = $1 AND tablename IN ('migrations', 'run_months', 'facet_counts')",
    [schema],
  );
  if (own.length < 3) return 0;
  const [found] = await ask<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM migrations");
  return found?.version ?? 0;
}

export async function hasSchema(ask: Ask, schema: string): Promise<boolean> {
  return (await ask("SELECT FROM pg_namespace WHERE nspname = $1", [schema])).length > 0;
}

const OWN = /^(migrations|runs|runs_(other|[0-9]{6})|run_months|facet_counts|changes|cursors|leases|fences)$/;

/** A rebuild removes the schema with all in it: nothing of another program may be there. Throws `CatalogError` with `DENIED`. */
export async function refuseForeign(ask: Ask, schema: string): Promise<void> {
  const found = await ask<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`,
    [schema],
  );
  const other = found.find(({ name }) => !OWN.test(name));
  if (other)
    throw new CatalogError(
      "DENIED",
      `schema ${schema} holds ${other.name}, which is none of the catalog's: name another one in catalog.schema`,
    );
}

/** For people: what it is. Throws `CatalogError` with `UNUSABLE` where it cannot hold the catalog. */
export async function checkServer(ask: Ask): Promise<{ readonly text: string }> {
  const [server] = await ask<{ version: number; name: string; encoding: string; commit: string; standby: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name, current_setting('server_encoding') AS encoding,
     current_setting('synchronous_commit') AS commit, pg_is_in_recovery() AS standby`,
  );
  if (!server) throw new CatalogError("UNUSABLE", "the database says nothing of itself");
  const { version, name, encoding, commit, standby } = server;
  const why =
    version < OLDEST
      ? `its version is ${version}, and the oldest that is supported is ${OLDEST}`
      : encoding !== "UTF8"
        ? `its encoding is ${encoding}, and texts need UTF8`
        : commit === "off"
          ? "synchronous_commit is off, so it forgets what it has answered: turn it on for this role"
          : standby
            ? "it is a standby, which takes no changes"
            : null;
  if (why !== null) throw new CatalogError("UNUSABLE", `the database cannot hold the catalog: ${why}`);
  return { text: `version ${name}, ${encoding}, synchronous_commit ${commit}` };
}
