import type { TextField } from "./filter.ts";
import type { RunRow } from "./run-row.ts";

/** Sums over the runs that share one value of a field. Times are milliseconds since the epoch. */
export interface RunSums {
  readonly value: string;
  readonly runs: number;
  /** of them with status failed */
  readonly failed: number;
  readonly tokens: number;
  /** US dollars; null: known of none of them */
  readonly cost: number | null;
  /** start of the first and of the last one */
  readonly first: number;
  readonly last: number;
}

/** Sums of one span of time; `group` null: all runs together. */
export interface SeriesPoint {
  /** begin of the span, milliseconds since the epoch */
  readonly at: number;
  readonly group: string | null;
  readonly runs: number;
  readonly failed: number;
  readonly aborted: number;
  readonly tokens: number;
  readonly cost: number | null;
  /** milliseconds, of those that have ended; by nearest rank; null: none has */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface SeriesQuery {
  /** milliseconds since the epoch; `to` is not part of it */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly by: TextField | null;
}

/** The fields of a row that a point of a time series is computed from. */
export type SeriesRow = Pick<RunRow, "started" | "durationMs" | "status" | "cost" | "tokens"> & {
  readonly group: string | null;
};

interface Sums {
  runs: number;
  failed: number;
  aborted: number;
  tokens: number;
  cost: number | null;
  durations: number[];
}

/** Adds up rows in any order, and gives the points in order of time and group. */
export function seriesOf({ from, bucketMs }: SeriesQuery): { add(row: SeriesRow): void; points(): SeriesPoint[] } {
  const buckets = new Map<string, { at: number; group: string | null; sums: Sums }>();
  return {
    add({ started, durationMs, status, cost, tokens, group }) {
      const at = from + Math.floor((started - from) / bucketMs) * bucketMs;
      const key = JSON.stringify([at, group]);
      let bucket = buckets.get(key);
      if (!bucket) {
        bucket = { at, group, sums: { runs: 0, failed: 0, aborted: 0, tokens: 0, cost: null, durations: [] } };
        buckets.set(key, bucket);
      }
      const { sums } = bucket;
      sums.runs++;
      if (status === "failed") sums.failed++;
      if (status === "aborted") sums.aborted++;
      sums.tokens += tokens;
      if (cost !== null) sums.cost = (sums.cost ?? 0) + cost;
      if (durationMs !== null) sums.durations.push(durationMs);
    },
    points() {
      const all = [...buckets.values()].toSorted(
        (a, b) => a.at - b.at || ((a.group ?? "") < (b.group ?? "") ? -1 : a.group === b.group ? 0 : 1),
      );
      return all.map(({ at, group, sums: { durations, ...sums } }) => {
        const sorted = Float64Array.from(durations).toSorted();
        const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
        return { at, group, ...sums, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) };
      });
    },
  };
}
