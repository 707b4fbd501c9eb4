import { createBatchWriter } from "../batch-writer.ts";
import { assertApplied, type ChangeOutcome } from "../change-outcome.ts";
import type { Catalog, CatalogChange, CatalogReader } from "../catalog.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { applyChanges } from "./postgres-changes.ts";
import { hasSchema, migrate, refuseForeign } from "./postgres-migrations.ts";
import { createMonths } from "./postgres-month.ts";
import { applicationName, type Ask, openPostgresPool, type PostgresPool } from "./postgres-pool.ts";
import { queriesOn } from "./postgres-queries.ts";

/** A change of many rows takes longer than a question, milliseconds. */
const WRITE_MS = 60_000;
/** One for changes, which are one transaction after another, and one for leases. */
const WRITERS = 2;

const readersOf = (address: PostgresAddress): PostgresPool =>
  openPostgresPool(address, { connections: address.connections, statementMs: address.queryMs });
const writersOf = (address: PostgresAddress): PostgresPool =>
  openPostgresPool(address, { connections: WRITERS, statementMs: WRITE_MS });

/**
 * The catalog in a schema of a PostgreSQL database, which it makes or brings up to date. Changes that come while one is being
 * written become one transaction. Throws `CatalogError`: `UNUSABLE`, `DENIED`, `NEWER_CATALOG`.
 */
export async function openPostgresCatalog(address: PostgresAddress): Promise<Catalog> {
  const writers = writersOf(address);
  try {
    await migrate(writers, address.schema);
  } catch (error) {
    await writers.close();
    throw error;
  }
  const readers = readersOf(address);
  const months = createMonths(writers, address.schema);
  const changes = createBatchWriter<CatalogChange, ChangeOutcome>((batch) =>
    applyChanges({ pool: writers, months }, batch),
  );
  return {
    ...queriesOn(readers),
    async apply(change) {
      const [outcome] = await changes.add([change]);
      assertApplied(outcome, change);
    },
    async cursor(name) {
      const [found] = await readers.ask<{ value: string }>("SELECT value FROM cursors WHERE name = $1", [name]);
      return found?.value ?? null;
    },
    lease: (name, owner, forMs) => takeLease(writers, name, owner, forMs),
    fence: (name) => takeFence(writers, name),
    async close() {
      await changes.idle();
      await Promise.all([readers.close(), writers.close()]);
    },
  };
}

/** By the server's clock: those of the collectors may differ. */
async function takeLease({ ask }: PostgresPool, name: string, owner: string, forMs: number): Promise<boolean> {
  const until = "clock_timestamp() + $3::float8 * interval '1 millisecond'";
  const values = [name, owner, forMs] as const;
  const made = await ask(`INSERT INTO leases VALUES ($1, $2, ${until}) ON CONFLICT DO NOTHING RETURNING name`, values);
  if (made.length > 0) return true;
  // SKIP LOCKED: where another collector is taking the lease at this moment, the answer is no, without waiting for its transaction
  const taken = await ask(
    `WITH free AS (
       SELECT name FROM leases WHERE name = $1 AND (owner = $2 OR until <= clock_timestamp()) FOR UPDATE SKIP LOCKED
     ) UPDATE leases l SET owner = $2, until = ${until} FROM free WHERE l.name = free.name RETURNING l.name`,
    values,
  );
  return taken.length > 0;
}

/** Waits for the transactions of those who still have the epoch before. */
async function takeFence({ ask }: PostgresPool, name: string): Promise<number> {
  const [taken] = await ask<{ epoch: number }>(
    `INSERT INTO fences VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET epoch = fences.epoch + 1 RETURNING epoch::float8 AS epoch`,
    [name],
  );
  return taken!.epoch;
}

/** Reads beside the connections of `openPostgresCatalog`, for another thread. It makes no tables. */
export function openPostgresReader(address: PostgresAddress): CatalogReader & { close(): Promise<void> } {
  const pool = readersOf(address);
  return { ...queriesOn(pool), close: pool.close };
}

/** Whether its schema is there. Throws `CatalogError`. */
export const isPostgresCatalog = (address: PostgresAddress): Promise<boolean> =>
  withPool(address, ({ ask }) => hasSchema(ask, address.schema));

/**
 * Who else is connected to the schema, for people: address and process of each connection, as its server has them. Of
 * another role it tells no address.
 */
export const usersOfPostgresCatalog = (address: PostgresAddress): Promise<string[]> =>
  withPool(address, async ({ ask }) => {
    const found = await ask<{ who: string }>(
      `SELECT coalesce(host(client_addr), 'local') || ', connection ' || pid AS who FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid() ORDER BY 1`,
      [applicationName(address)],
    );
    return found.map(({ who }) => who);
  });

/** Removes the schema with all in it, if it is there. Throws `DENIED` where something else is in it, too. */
export const removePostgresCatalog = (address: PostgresAddress): Promise<void> =>
  withPool(address, (pool) => pool.transaction((ask) => dropSchema(ask, address.schema)));

async function dropSchema(ask: Ask, schema: string): Promise<void> {
  await refuseForeign(ask, schema);
  await ask(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
}

/** Puts a catalog in the place of another one of the same database. */
export const movePostgresCatalog = (from: PostgresAddress, to: PostgresAddress): Promise<void> =>
  withPool(from, (pool) =>
    pool.transaction(async (ask) => {
      await dropSchema(ask, to.schema);
      await ask(`ALTER SCHEMA "${from.schema}" RENAME TO "${to.schema}"`);
    }),
  );

async function withPool<Result>(
  address: PostgresAddress,
  work: (pool: PostgresPool) => Promise<Result>,
): Promise<Result> {
  const pool = writersOf(address);
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}
