import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "@reenact/envelope";
import type { CollectorConfig } from "../config-schema.ts";
import { isLoopback } from "../receive/allow-list.ts";
import type { Catalog, CatalogAddress, CatalogReader } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import { postgresPlace } from "./drivers/postgres-address.ts";
import { openSqliteCatalog } from "./drivers/sqlite.ts";
import { moveDatabase, putAsideDatabase, removeDatabase } from "./drivers/sqlite-files.ts";
import { openSqliteReader } from "./drivers/sqlite-reader.ts";

/** The catalog that the settings name. */
export function catalogAddress({ data, catalog }: Pick<CollectorConfig, "data" | "catalog">): CatalogAddress {
  const { url, schema, tls, ca, connections, queryTimeout: queryMs } = catalog;
  if (url === undefined) return { driver: "sqlite", file: join(data, "catalog.sqlite") };
  const isLocal = isLoopback(new URL(url).hostname);
  return {
    driver: "postgres",
    url,
    schema,
    tls: tls === "auto" ? (isLocal ? "off" : "verify") : tls,
    ca: ca ?? null,
    connections,
    queryMs,
  };
}

/** For people: where it is, without a password. */
export const placeOfCatalog = (address: CatalogAddress): string =>
  address.driver === "sqlite" ? address.file : postgresPlace(address);

/** Another catalog beside it, to be made before it takes its place. */
export const draftOf = (address: CatalogAddress): CatalogAddress =>
  address.driver === "sqlite"
    ? { ...address, file: `${address.file}.new` }
    : { ...address, schema: `${address.schema}_new` };

/** Throws `CatalogError`: `DAMAGED`, `UNUSABLE`, `NEWER_CATALOG`, `DENIED`, `NO_DRIVER`. */
export const openCatalog = async (address: CatalogAddress): Promise<Catalog> =>
  address.driver === "sqlite" ? openSqliteCatalog(address) : (await loadPostgres()).openPostgresCatalog(address);

/** null: there is none, or it cannot be opened. Throws where it cannot be known. */
export async function openCatalogIfThere(address: CatalogAddress): Promise<Catalog | null> {
  if (address.driver === "postgres") {
    const { isPostgresCatalog, openPostgresCatalog } = await loadPostgres();
    return (await isPostgresCatalog(address)) ? openPostgresCatalog(address) : null;
  }
  if (!existsSync(address.file)) return null;
  try {
    return await openSqliteCatalog(address);
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}

/** Reads beside the collector's own connection, without leaving the calling thread where the driver can. */
export function openCatalogReader(address: CatalogAddress): CatalogReader & { close(): void | Promise<void> } {
  if (address.driver === "sqlite") return openSqliteReader(address.file);
  let opening: Promise<CatalogReader & { close(): Promise<void> }> | null = null;
  const reader = () => (opening ??= loadPostgres().then(({ openPostgresReader }) => openPostgresReader(address)));
  return {
    find: async (...asked) => (await reader()).find(...asked),
    facets: async (...asked) => (await reader()).facets(...asked),
    sums: async (...asked) => (await reader()).sums(...asked),
    series: async (...asked) => (await reader()).series(...asked),
    get: async (...asked) => (await reader()).get(...asked),
    close: async () => (await opening)?.close(),
  };
}

/** How long a server may still show a connection that was closed, milliseconds. */
const CLOSING_MS = 3_000;

/**
 * Throws `CatalogError` with `IN_USE` if other processes are connected to the catalog. A file is never in use here: whoever has its
 * folder locked has it alone.
 */
export async function assertUnused(address: CatalogAddress): Promise<void> {
  if (address.driver === "sqlite") return;
  const { usersOfPostgresCatalog } = await loadPostgres();
  const end = Date.now() + CLOSING_MS;
  let users = await usersOfPostgresCatalog(address);
  for (; users.length > 0 && Date.now() < end; users = await usersOfPostgresCatalog(address)) await pause(100);
  if (users.length === 0) return;
  throw new CatalogError("IN_USE", `${users.length} connections use ${placeOfCatalog(address)}: ${users.join("; ")}`);
}

/** Puts a closed catalog in the place of another one, of the same driver. */
export async function replaceCatalog(old: CatalogAddress, by: CatalogAddress): Promise<void> {
  if (old.driver === "sqlite" && by.driver === "sqlite") moveDatabase(by.file, old.file);
  else if (old.driver === "postgres" && by.driver === "postgres")
    await (await loadPostgres()).movePostgresCatalog(by, old);
  else throw new Error("a catalog cannot take the place of one of another driver");
}

export async function removeCatalog(address: CatalogAddress): Promise<void> {
  if (address.driver === "sqlite") removeDatabase(address.file);
  else await (await loadPostgres()).removePostgresCatalog(address);
}

/**
 * Keeps a damaged catalog under another name, which it returns, for an operator to look at. null: the driver has no such state, its
 * server mends itself or says so.
 */
export const putAsideCatalog = (address: CatalogAddress): string | null =>
  address.driver === "sqlite" ? putAsideDatabase(address.file) : null;

async function loadPostgres(): Promise<typeof import("./drivers/postgres.ts")> {
  try {
    return await import("./drivers/postgres.ts");
  } catch (cause) {
    const code = errorCode(cause);
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw cause;
    // the package is optional: a catalog in a file works without it
    throw new CatalogError("NO_DRIVER", "a catalog in PostgreSQL needs the package pg, and it is not installed", {
      cause,
    });
  }
}
