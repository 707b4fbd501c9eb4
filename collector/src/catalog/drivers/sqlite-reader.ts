import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CatalogError } from "../catalog-error.ts";
import type { CatalogReader } from "../catalog.ts";
import { type CatalogQueries, queriesOn } from "./sqlite-queries.ts";

/** The page cache of the connection, KiB. */
const CACHE = 32 * 1024;
/** After so long the file is opened again: SQLite reads the statistics by which it chooses an index only then. Milliseconds. */
const OPEN_FOR = 60_000;

/**
 * Reads the catalog on the calling thread over a read-only connection, beside the connection that writes: an answer has all that
 * was committed before the call. The file is opened at the first call, and again when another file has taken its place.
 * Rejects with `CatalogError`, `UNUSABLE` where the file is not there or cannot be read.
 */
export function openSqliteReader(file: string): CatalogReader & { close(): void } {
  let opened: { readonly db: DatabaseSync; readonly queries: CatalogQueries; inode: number; until: number } | null =
    null;

  function close(): void {
    opened?.db.close();
    opened = null;
  }

  function queries(): CatalogQueries {
    try {
      const { ino } = statSync(file);
      if (opened && (opened.inode !== ino || performance.now() > opened.until)) close();
      if (opened === null) {
        const db = new DatabaseSync(file, { readOnly: true });
        db.exec(`PRAGMA busy_timeout = 5000; PRAGMA query_only = 1; PRAGMA cache_size = -${CACHE}`);
        opened = { db, queries: queriesOn(db), inode: ino, until: performance.now() + OPEN_FOR };
      }
      return opened.queries;
    } catch (cause) {
      close();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CatalogError("UNUSABLE", `the catalog cannot be read: ${why}`, { cause });
    }
  }

  return {
    find: async (query, page) => queries().find(query, page),
    facets: async (query, fields, limit) => queries().facets(query, fields, limit),
    sums: async (query, field, limit) => queries().sums(query, field, limit),
    series: async (query, over) => queries().series(query, over),
    get: async (tenant, run) => queries().get(tenant, run),
    close,
  };
}
