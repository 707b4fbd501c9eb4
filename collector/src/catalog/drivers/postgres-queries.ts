import { createBatchWriter } from "../batch-writer.ts";
import type { CatalogReader, Facet, FoundRuns, Page, RunQuery } from "../catalog.ts";
import { COUNTED_FIELDS, countedStatuses, type FacetField } from "../facet-changes.ts";
import type { TextField } from "../filter.ts";
import { changeCursor, pageCursor, readChangeCursor, readPageCursor, UNKNOWN } from "../page-cursor.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import type { RunRow } from "../run-row.ts";
import type { RunSums, SeriesPoint, SeriesQuery } from "../run-sums.ts";
import { numbered, type Sql, whereOf } from "./postgres-filter.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/** More rows than this are not counted to the end. */
const COUNTED = 10_000;
/** Rows that one statement looks up. */
const AT_ONCE = 500;

/** Queries over the rows. */
export function queriesOn(pool: Pick<PostgresPool, "ask">): CatalogReader {
  const rowsOf = <Row extends object>(sql: Sql) => pool.ask<Row>(...numbered(sql));

  async function find(query: RunQuery, page: Page): Promise<FoundRuns> {
    if (page.order === "changed") return changed(query, page);
    const { order = "started", limit } = page;
    const [found, count] = await Promise.all([rowsOf<{ row: RunRow }>(pageSql(query, page)), countOf(query)]);
    const rows = found.slice(0, limit).map(({ row }) => row);
    const last = rows.at(-1);
    return { rows, next: last && found.length > rows.length ? pageCursor(last, order) : null, count };
  }

  async function changed(query: RunQuery, page: Page): Promise<FoundRuns> {
    const after = page.after ? readChangeCursor(page.after) : 0;
    const where = whereOf(query);
    const found = await rowsOf<{ row: RunRow; changed: number }>({
      text: `SELECT r.row, r.changed::float8 AS changed FROM runs r WHERE ${where.text} AND r.changed > ?::bigint
        ORDER BY r.changed LIMIT ?::int`,
      values: [...where.values, after, page.limit],
    });
    const last = found.at(-1);
    return {
      rows: found.map(({ row }) => row),
      next: last ? changeCursor(last.changed) : (page.after ?? null),
      count: { value: found.length, exact: false },
    };
  }

  async function countOf(query: RunQuery): Promise<FoundRuns["count"]> {
    const { text, values } = whereOf(query);
    const [found] = await rowsOf<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM (SELECT FROM runs r WHERE ${text} LIMIT ${COUNTED + 1}) AS fitting`,
      values,
    });
    const n = found?.n ?? 0;
    return { value: Math.min(n, COUNTED), exact: n <= COUNTED };
  }

  async function facet(query: RunQuery, field: FacetField, limit: number): Promise<Facet[]> {
    const sql = countedSql(query, field) ?? facetSql(query, field);
    return rowsOf<{ value: string; runs: number }>({
      text: `${sql.text} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?::int`,
      values: [...sql.values, limit],
    });
  }

  // some callers ask for a thousand rows at once, one by one: as many questions would wait for a connection until their time is over
  const lookups = createBatchWriter<{ readonly tenant: string; readonly run: string }, RunRow | null>(
    async (wanted) => {
      const rows: (RunRow | null)[] = wanted.map(() => null);
      for (let from = 0; from < wanted.length; from += AT_ONCE) {
        const some = wanted.slice(from, from + AT_ONCE);
        const found = await pool.ask<{ n: number; row: RunRow }>(
          `SELECT u.n::int AS n, r.row FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u (run, tenant, n)
         JOIN run_months m ON m.run = u.run AND m.tenant = u.tenant
         JOIN runs r ON r.month = m.month AND r.run = m.run AND r.tenant = m.tenant`,
          [some.map(({ run }) => comparable(run)), some.map(({ tenant }) => comparable(tenant))],
        );
        for (const { n, row } of found) rows[from + n - 1] = row;
      }
      return rows;
    },
  );

  return {
    find,
    async facets(query, fields, limit) {
      const found = await Promise.all(fields.map(async (field) => [field, await facet(query, field, limit)] as const));
      return Object.fromEntries(found);
    },
    sums: (query, field, limit) => rowsOf<RunSums>(sumsSql(query, field, limit)),
    async series(query, over) {
      return { points: await rowsOf<SeriesPoint>(seriesSql(query, over)), exact: true };
    },
    async get(tenant, run) {
      const [row = null] = await lookups.add([{ tenant, run }]);
      return row;
    },
  };
}

/** The statement that reads a page, and one row more. */
function pageSql(query: RunQuery, { limit, order = "started", after }: Page): Sql {
  if (order === "changed") throw new Error("the order of change has no such pages");
  const where = whereOf(query);
  // an index serves the plain column only
  const value = order === "started" ? "r.started" : `coalesce(r."${order}", ${UNKNOWN})`;
  const from = after ? readPageCursor(after, order) : null;
  // the first condition is implied by the second, but an index can use it: a late page does not read the earlier ones
  const keyset = `${value} <= ?::float8 AND (${value} < ?::float8 OR (r.run, r.tenant) > (?, ?))`;
  const place = from ? [from.value, from.value, comparable(from.run), comparable(from.tenant)] : [];
  return {
    text: `SELECT r.row FROM runs r WHERE ${where.text} AND ${from ? keyset : "true"}
      ORDER BY ${value} DESC, r.run, r.tenant LIMIT ?::int`,
    values: [...where.values, ...place, limit + 1],
  };
}

/** From the counts that every change keeps; null: they cannot answer this question, the rows can. */
function countedSql({ tenant, filter }: RunQuery, field: FacetField): Sql | null {
  const statuses = countedStatuses(filter);
  if (tenant === undefined || statuses === null || !COUNTED_FIELDS.includes(field)) return null;
  return {
    text: `SELECT value, sum(runs)::float8 AS runs FROM facet_counts
      WHERE tenant = ? AND field = ? AND ${statuses === "all" ? "true" : "status = ANY (?::text[])"}`,
    values: [comparable(tenant), field, ...(statuses === "all" ? [] : [statuses])],
  };
}

function facetSql(query: RunQuery, field: FacetField): Sql {
  const { text, values } = whereOf(query);
  const from = field in LIST_OF ? `runs r CROSS JOIN unnest(r."${field}") v` : "runs r";
  const value = field in LIST_OF ? "v" : `r."${field}"`;
  return {
    text: `SELECT ${value} AS value, count(*)::float8 AS runs FROM ${from} WHERE ${text} AND ${value} IS NOT NULL`,
    values,
  };
}

function sumsSql(query: RunQuery, field: TextField, limit: number): Sql {
  const { text, values } = whereOf(query);
  return {
    text: `SELECT r."${field}" AS value, count(*)::float8 AS runs, count(*) FILTER (WHERE r.status = 'failed')::float8 AS failed,
      coalesce(sum(r.tokens), 0) AS tokens, sum(r.cost) AS cost, min(r.started) AS first, max(r.started) AS last
      FROM runs r WHERE ${text} AND r."${field}" IS NOT NULL GROUP BY 1 ORDER BY last DESC, 1 LIMIT ?::int`,
    values: [...values, limit],
  };
}

/** Percentiles by nearest rank: `percentile_disc` is that. */
function seriesSql(query: RunQuery, { from, to, bucketMs, by }: SeriesQuery): Sql {
  const started = { is: "number", field: "started" } as const;
  const within = [
    { ...started, op: ">=", value: from },
    { ...started, op: "<", value: to },
  ] as const;
  const { text, values } = whereOf({ ...query, filter: { is: "all", of: [query.filter, ...within] } });
  const rank = (share: number, name: string) =>
    `percentile_disc(${share}) WITHIN GROUP (ORDER BY r.duration) AS ${name}`;
  return {
    text: `SELECT ?::float8 + floor((r.started - ?::float8) / ?::float8) * ?::float8 AS at,
      ${by === null ? "NULL" : `r."${by}"`} AS "group", count(*)::float8 AS runs,
      count(*) FILTER (WHERE r.status = 'failed')::float8 AS failed,
      count(*) FILTER (WHERE r.status = 'aborted')::float8 AS aborted,
      coalesce(sum(r.tokens), 0) AS tokens, sum(r.cost) AS cost,
      ${rank(0.5, "p50")}, ${rank(0.95, "p95")}, ${rank(0.99, "p99")}
      FROM runs r WHERE ${text} GROUP BY 1, 2 ORDER BY 1, coalesce(${by === null ? "NULL" : `r."${by}"`}, '')`,
    values: [from, from, bucketMs, bucketMs, ...values],
  };
}
