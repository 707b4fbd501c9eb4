import type { DatabaseSync } from "node:sqlite";
import type { RunStatus } from "@reenact/envelope/schema";
import type { TextField } from "../filter.ts";
import { type RunSums, type SeriesPoint, type SeriesQuery, seriesOf } from "../run-sums.ts";
import type { Sql } from "./sqlite-filter.ts";
import { numberOf, numberOrNull, textOf, textOrNull } from "./sqlite-row.ts";

/** Runs that one series is made of: so many take a second. */
const MOST = 500_000;

export function sumsBy(db: DatabaseSync, where: Sql, field: TextField, limit: number): RunSums[] {
  const found = db
    .prepare(
      `SELECT r.${field} AS value, count(*) AS runs, sum(r.status = 'failed') AS failed, sum(r.tokens) AS tokens,
       sum(r.cost) AS cost, min(r.started) AS first, max(r.started) AS last FROM runs r
       WHERE (${where.text}) AND r.${field} IS NOT NULL GROUP BY 1 ORDER BY last DESC, 1 LIMIT ?`,
    )
    .all(...where.values, limit);
  return found.map((row) => ({
    value: textOf(row, "value"),
    runs: numberOf(row, "runs"),
    failed: numberOf(row, "failed"),
    tokens: numberOf(row, "tokens"),
    cost: numberOrNull(row, "cost"),
    first: numberOf(row, "first"),
    last: numberOf(row, "last"),
  }));
}

export function seriesIn(
  db: DatabaseSync,
  where: Sql,
  over: SeriesQuery,
): { points: readonly SeriesPoint[]; exact: boolean } {
  const series = seriesOf(over);
  const rows = db
    .prepare(
      `SELECT r.started, r.duration, r.status, r.cost, r.tokens, ${over.by === null ? "NULL" : `r.${over.by}`} AS grp
       FROM runs r WHERE (${where.text}) AND r.started >= ? AND r.started < ? ORDER BY r.started DESC LIMIT ?`,
    )
    .iterate(...where.values, over.from, over.to, MOST + 1);
  let read = 0;
  for (const row of rows) {
    if (++read > MOST) break;
    series.add({
      started: numberOf(row, "started"),
      durationMs: numberOrNull(row, "duration"),
      status: textOf(row, "status") as RunStatus,
      cost: numberOrNull(row, "cost"),
      tokens: numberOf(row, "tokens"),
      group: textOrNull(row, "grp"),
    });
  }
  return { points: series.points(), exact: read <= MOST };
}
