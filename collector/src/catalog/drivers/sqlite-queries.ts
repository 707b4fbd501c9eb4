import type { DatabaseSync } from "node:sqlite";
import type { CatalogReader, Facet, FoundRuns, Page, RunQuery } from "../catalog.ts";
import { EVERYTHING, type Filter, type ListField, type TextField } from "../filter.ts";
import { changeCursor, pageCursor, readChangeCursor, readPageCursor, UNKNOWN } from "../page-cursor.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import { countedFacet } from "./sqlite-facets.ts";
import { phraseOf, type Sql, sqlOf } from "./sqlite-filter.ts";
import { numberOf, runOf } from "./sqlite-row.ts";
import { seriesIn, sumsBy } from "./sqlite-sums.ts";

/** More rows than this are not counted to the end. */
const COUNTED = 10_000;
/**
 * A word of more runs than this is looked for in the order of the list: to look up and sort 50,000 rows takes 20 times as long as to
 * read a page. Where few runs of that order have it, as much is read as without the word.
 */
const COMMON = 5_000;

/** A method without waiting: for the thread that has the connection. */
export type Now<F> = F extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never;
/** `CatalogReader` without waiting. */
export type CatalogQueries = { [Method in keyof CatalogReader]: Now<CatalogReader[Method]> };

/** Queries on a connection, which may be read-only. */
export function queriesOn(db: DatabaseSync): CatalogQueries {
  const getRow = db.prepare("SELECT row FROM run_rows WHERE id = (SELECT id FROM runs WHERE tenant = ? AND run = ?)");
  return {
    find: (query, page) => find(db, query, page),
    facets(query, fields, limit) {
      const where = whereOf(query);
      const found = (name: TextField | ListField) =>
        countedFacet(db, query, name, limit) ?? facet(db, where, name, limit);
      return Object.fromEntries(fields.map((name) => [name, found(name)]));
    },
    sums: (query, field, limit) => sumsBy(db, whereOf(query), field, limit),
    series: (query, over) => seriesIn(db, whereOf(query), over),
    get(tenant, run) {
      const found = getRow.get(comparable(tenant), comparable(run));
      return found ? runOf(found) : null;
    },
  };
}

export function whereOf({ tenant, filter }: RunQuery, isCommon: IsCommon = () => false): Sql {
  const { text, values } = sqlOf(filter, { isCommon });
  return tenant === undefined
    ? { text, values }
    : { text: `r.tenant = ? AND (${text})`, values: [comparable(tenant), ...values] };
}

function find(db: DatabaseSync, query: RunQuery, page: Page): FoundRuns {
  if (page.order === "changed") return changed(db, whereOf(query), page);
  const count = countOf(db, countSql(query));
  const { order = "started" } = page;
  const { text, values } = pageSql(query, page, commonPhrases(db));
  const found = db.prepare(text).all(...values);
  const rows = found.slice(0, page.limit).map(runOf);
  const last = rows.at(-1);
  return { rows, next: last && found.length > rows.length ? pageCursor(last, order) : null, count };
}

type IsCommon = (phrase: string) => boolean;

function commonPhrases(db: DatabaseSync): IsCommon {
  const count = db.prepare("SELECT count(*) AS n FROM (SELECT 1 FROM run_text WHERE run_text MATCH ? LIMIT ?)");
  return (phrase) => numberOf(count.get(phrase, COMMON + 1), "n") > COMMON;
}

/** The statement that reads a page, and one row more. */
export function pageSql(
  query: RunQuery,
  { limit, order = "started", after }: Page,
  isCommon: IsCommon = () => false,
): Sql {
  if (order === "changed") throw new Error("the order of change has no such pages");
  // no index has the rows in another order: they are looked up and sorted
  const where = whereOf(query, order === "started" ? isCommon : undefined);
  // an index serves the plain column only
  const value = order === "started" ? "r.started" : `COALESCE(r.${order}, ${UNKNOWN})`;
  const from = after ? readPageCursor(after, order) : null;
  // the first condition is implied by the second, but an index can use it: a late page does not read the earlier ones
  const keyset = from ? `${value} <= ? AND (${value} < ? OR (r.run, r.tenant) > (?, ?))` : "1";
  const place = from ? [from.value, from.value, comparable(from.run), comparable(from.tenant)] : [];
  return {
    text: `SELECT (SELECT row FROM run_rows o WHERE o.id = r.id) AS row FROM runs r WHERE (${where.text}) AND ${keyset}
       ORDER BY ${value} DESC, r.run, r.tenant LIMIT ?`,
    values: [...where.values, ...place, limit + 1],
  };
}

function changed(db: DatabaseSync, where: Sql, page: Page): FoundRuns {
  const after = page.after ? readChangeCursor(page.after) : 0;
  const found = db
    .prepare(`SELECT (SELECT row FROM run_rows o WHERE o.id = r.id) AS row, r.changed FROM runs r
       WHERE (${where.text}) AND r.changed > ? ORDER BY r.changed LIMIT ?`)
    .all(...where.values, after, page.limit);
  const last = found.at(-1);
  const rows = found.map(runOf);
  const next = last ? changeCursor(numberOf(last, "changed")) : (page.after ?? null);
  return { rows, next, count: { value: rows.length, exact: false } };
}

function countOf(db: DatabaseSync, { text, values }: Sql): FoundRuns["count"] {
  const n = numberOf(db.prepare(text).get(...values), "n");
  return { value: Math.min(n, COUNTED), exact: n <= COUNTED };
}

/** The statement that counts up to `COUNTED` rows, and one more. */
export function countSql(query: RunQuery): Sql {
  const phrase = onlyPhrase(query.filter);
  const from = phrase === null ? "runs r" : "run_text t CROSS JOIN runs r ON r.id = t.rowid";
  const { text, values } = whereOf(phrase === null ? query : { ...query, filter: EVERYTHING });
  // the index of words is read no further than the count goes
  const words = phrase === null ? "1" : "t.run_text MATCH ?";
  return {
    text: `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} WHERE ${words} AND (${text}) LIMIT ?)`,
    values: [...(phrase === null ? [] : [phrase]), ...values, COUNTED + 1],
  };
}

/** The phrase of a filter that asks for nothing else. */
function onlyPhrase(filter: Filter): string | null {
  if (filter.is === "all" && filter.of.length === 1) return onlyPhrase(filter.of[0]!);
  return filter.is === "words" ? phraseOf(filter.text) : null;
}

function facet(db: DatabaseSync, where: Sql, name: TextField | ListField, limit: number): Facet[] {
  const source =
    name in LIST_OF
      ? `SELECT v.value AS value, count(*) AS runs FROM runs r JOIN run_values v ON v.id = r.id AND v.field = '${name}'
         WHERE (${where.text})`
      : `SELECT r.${name} AS value, count(*) AS runs FROM runs r WHERE (${where.text}) AND r.${name} IS NOT NULL`;
  const rows = db.prepare(`${source} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`).all(...where.values, limit);
  return rows.map((each) => ({ value: String(each["value"]), runs: Number(each["runs"]) }));
}
