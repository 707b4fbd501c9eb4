import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CatalogError } from "../catalog-error.ts";
import type { CatalogReader } from "../catalog.ts";
import { type CatalogQueries, queriesOn } from "./sqlite-queries.ts";

/** Pages that it keeps in memory, KiB. */
const CACHE = 32 * 1024;
/** The statistics by which it chooses an index are read when the file is opened. Milliseconds. */
const OPEN_FOR = 60_000;

/**
 * Reads the catalog on the thread that asks, on a connection that cannot write, beside the one that does: an answer has all that
 * was committed before it was asked for. The file is opened at the first question, and again when another one has taken its place.
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
