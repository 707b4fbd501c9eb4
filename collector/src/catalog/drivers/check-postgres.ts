import { fail, pass, type ServerCheck } from "../../check/server-check.ts";
import { CatalogError } from "../catalog-error.ts";
import { type PostgresAddress, postgresPlace } from "./postgres-address.ts";
import { checkServer, MIGRATIONS, refuseForeign } from "./postgres-migrations.ts";
import { type Ask, openPostgresPool } from "./postgres-pool.ts";

const STATEMENT_MS = 10_000;

/** Throws `CatalogError`: `UNUSABLE`, `DENIED`. Makes no tables. */
export async function checkPostgres(address: PostgresAddress): Promise<ServerCheck[]> {
  const pool = openPostgresPool(address, { connections: 1, statementMs: STATEMENT_MS });
  try {
    const { text } = await checkServer(pool.ask);
    return [pass("database", `${postgresPlace(address)}: ${text}`), await tables(pool.ask, address)];
  } finally {
    await pool.close();
  }
}

async function tables(ask: Ask, { schema }: PostgresAddress): Promise<ServerCheck> {
  const [role] = await ask<{ name: string; creates: boolean; there: boolean; owns: boolean }>(
    `SELECT current_user::text AS name, has_database_privilege(current_database(), 'CREATE') AS creates,
     n.oid IS NOT NULL AS there, coalesce(pg_has_role(n.nspowner, 'USAGE'), false) AS owns
     FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = $1`,
    [schema],
  );
  if (!role) throw new CatalogError("UNUSABLE", "the database says nothing of the role");
  const { name, creates, there, owns } = role;
  if (!there)
    return creates
      ? pass("tables", `schema ${schema} is not there; the first start makes it`)
      : fail(
          "tables",
          `schema ${schema} is not there, and role ${name} may make none`,
          `psql -c 'CREATE SCHEMA ${schema} AUTHORIZATION "${name}"'`,
        );
  if (!owns)
    return fail(
      "tables",
      `schema ${schema} is not owned by role ${name}, which has to change its tables`,
      `psql -c 'ALTER SCHEMA ${schema} OWNER TO "${name}"'`,
    );
  const version = await migrations(ask, schema);
  // of a later version not every table is known here
  if (version.ok) await refuseForeign(ask, schema);
  return version;
}

async function migrations(ask: Ask, schema: string): Promise<ServerCheck> {
  const there = await ask("SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'migrations'", [schema]);
  const [found] =
    there.length === 0
      ? []
      : await ask<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM migrations");
  const version = found?.version ?? 0;
  const known = MIGRATIONS.length;
  if (version > known)
    return fail(
      "tables",
      `the tables of schema ${schema} have version ${version}, and this collector knows ${known}`,
      "update the collector",
    );
  const text = version === known ? `version ${version}` : `version ${version}; the next start brings them to ${known}`;
  return pass("tables", `schema ${schema}: ${text}`);
}
