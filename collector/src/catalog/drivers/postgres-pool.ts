import { readFileSync } from "node:fs";
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryResultRow } from "pg";
import { CatalogError } from "../catalog-error.ts";
import { type PostgresAddress, postgresPlace } from "./postgres-address.ts";

/** A value of a statement. It is sent beside the text, never as a part of it. */
export type SqlValue = string | number | boolean | null | readonly (string | number | null)[];

/** Runs one statement with `$1`, `$2`, … and gives its rows. */
export type Ask = <Row extends QueryResultRow = Record<string, never>>(
  text: string,
  values?: readonly SqlValue[],
) => Promise<Row[]>;

/** Connections to one database. What it throws is a `CatalogError` where the database, not the statement, is the cause. */
export interface PostgresPool {
  readonly ask: Ask;
  /** All that `work` asks is one transaction; it is undone if `work` throws. */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;
/** How much later than the server the client gives up: only if the server does not answer at all. */
const SILENT_MS = 5_000;

/**
 * Opens no connection before one is needed. `statementMs`: after so long the server ends a statement. Throws `CatalogError` with
 * `UNUSABLE` if the file of the authority cannot be read.
 */
export function openPostgresPool(
  address: PostgresAddress,
  { connections, statementMs }: { readonly connections: number; readonly statementMs: number },
): PostgresPool {
  const place = postgresPlace(address);
  const pool = new Pool({
    ...connectionOf(address),
    // compiling a plan costs more than these plans take
    options: `-c search_path=${address.schema} -c jit=off`,
    application_name: applicationName(address),
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    query_timeout: statementMs + SILENT_MS,
  });
  // an idle connection that breaks is replaced by the next question; without a listener the process would end
  pool.on("error", () => {});
  let closing: Promise<void> | null = null;

  async function connected<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    if (closing !== null) throw new CatalogError("UNUSABLE", "the catalog is closed");
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      const known = catalogErrorOf(error, place);
      // nothing was asked yet: it says nothing of a change
      throw known instanceof CatalogError && known.code === "REFUSED" ? awayBecause(error, place) : known;
    }
    // what breaks between two statements is reported by the next one
    const ignore = () => {};
    client.on("error", ignore);
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw catalogErrorOf(error, place);
    } finally {
      client.off("error", ignore);
      // a connection on which something else than an answer of the server came is in no known state
      client.release(
        failure !== undefined && !(failure instanceof DatabaseError) && !(failure instanceof CatalogError),
      );
    }
  }

  const askOn =
    (client: PoolClient): Ask =>
    async <Row extends QueryResultRow>(text: string, values: readonly SqlValue[] = []) =>
      (await client.query<Row>(text, [...values])).rows;

  return {
    ask: <Row extends QueryResultRow>(text: string, values?: readonly SqlValue[]) =>
      connected((client) => askOn(client)<Row>(text, values)),
    transaction: (work) =>
      connected(async (client) => {
        await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
        try {
          const result = await work(askOn(client));
          await client.query("COMMIT");
          return result;
        } catch (error) {
          // a broken connection undoes it by itself
          await client.query("ROLLBACK").catch(() => {});
          throw error;
        }
      }),
    close: () => (closing ??= pool.end()),
  };
}

/** Tells who uses this schema from others of the same database; at most the 63 bytes that a server keeps. */
export const applicationName = ({ schema }: Pick<PostgresAddress, "schema">): string => `reenact ${schema}`;

function connectionOf({ url, tls, ca }: PostgresAddress): PoolConfig {
  const { hostname, port, username, password, pathname } = new URL(url);
  const text = decodeURIComponent;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    ...(port !== "" && { port: Number(port) }),
    // otherwise from PGUSER and PGPASSWORD
    ...(username !== "" && { user: text(username) }),
    ...(password !== "" && { password: text(password) }),
    database: text(pathname.slice(1)),
    ssl: tls === "verify" && { rejectUnauthorized: true, ...(ca !== null && { ca: readCa(ca) }) },
  };
}

function readCa(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError("UNUSABLE", `catalog.ca: ${why}`, { cause });
  }
}

/** SQLSTATE classes of what passes: connection, resources, a database that is not ready, an operator who ends it, its disk. */
const AWAY = /^(08|53|55|57|58|40|25|XX)/;
/** A value that the database does not take: the same change never succeeds. */
const REFUSED = /^(22|54|23502)/;
/** Of class 54 as well: the database gives out no more transaction numbers until it was vacuumed, and so takes no change at all. */
const OUT_OF_NUMBERS = /^GetNew(TransactionId|MultiXactId)$/;
/** Who connects may not, or the database is not there: nothing that passes by itself. */
const DENIED = /^(28|3D|42501)/;

const awayBecause = (error: unknown, place: string): CatalogError =>
  new CatalogError("UNUSABLE", `the catalog in ${place} does not answer: ${reasonOf(error)}`, { cause: error });

/** What an error of the client or of the database means for a change; itself, where that is not known. */
export function catalogErrorOf(error: unknown, place: string): unknown {
  if (error instanceof CatalogError) return error;
  const why = reasonOf(error);
  // the client has no other sign for a password that is asked for and not set
  if (why.startsWith("SASL: "))
    return new CatalogError("DENIED", `the catalog in ${place} asks for a password, and gets none or a wrong proof`, {
      cause: error,
    });
  if (error instanceof TypeError)
    return new CatalogError("REFUSED", `a row for the catalog in ${place} cannot be written: ${why}`, { cause: error });
  if (!(error instanceof DatabaseError) || AWAY.test(error.code ?? "") || OUT_OF_NUMBERS.test(error.routine ?? ""))
    return awayBecause(error, place);
  if (REFUSED.test(error.code ?? ""))
    return new CatalogError("REFUSED", `the catalog in ${place} does not take a value: ${why}`, { cause: error });
  if (DENIED.test(error.code ?? ""))
    return new CatalogError("DENIED", `the catalog in ${place}: ${why}`, { cause: error });
  return error;
}

/** A host with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
