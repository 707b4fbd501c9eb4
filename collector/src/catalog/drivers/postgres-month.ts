import type { Filter } from "../filter.ts";
import { lockTables } from "./postgres-migrations.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/** The partition of rows that begin at no time that can be true: a sender's clock must not make partitions for ever. */
const OTHER = 0;
const FIRST_YEAR = 2015;
const DAY = 86_400_000;
/** A clock may be ahead by so much. */
const AHEAD = 31 * DAY;

/** The month in UTC as year and month, 202611, in which a run began, which is the number of its partition. */
export function monthOf(started: number, now: number): number {
  return started >= Date.UTC(FIRST_YEAR) && started < now + AHEAD ? numberOf(started) : OTHER;
}

function numberOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

/** Times between which a run must have begun to fit the filter; milliseconds, both included. */
function startsOf(filter: Filter): { from: number; to: number } {
  if (filter.is === "number" && filter.field === "started") {
    const { op, value } = filter;
    return {
      from: op === ">" || op === ">=" || op === "=" ? value : -Infinity,
      to: op === "<" || op === "<=" || op === "=" ? value : Infinity,
    };
  }
  if (filter.is !== "all") return { from: -Infinity, to: Infinity };
  return filter.of.map(startsOf).reduce((a, b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }), {
    from: -Infinity,
    to: Infinity,
  });
}

/** The partitions in which rows that fit may lie, beside that of the others; null: any. */
export function monthsOf(filter: Filter): { readonly from: number; readonly to: number } | null {
  const { from, to } = startsOf(filter);
  if (from === -Infinity && to === Infinity) return null;
  const [first, last] = [Date.UTC(FIRST_YEAR), Date.UTC(9999)];
  const within = (ms: number) => Math.min(Math.max(ms, first), last);
  return { from: numberOf(within(from)), to: numberOf(within(to)) };
}

/** Makes the partitions that are not there yet; knows those that it has seen. */
export function createMonths(pool: PostgresPool, schema: string): { ensure(months: Iterable<number>): Promise<void> } {
  const known = new Set([OTHER]);

  async function make(month: number): Promise<void> {
    await pool.transaction(async (ask) => {
      await lockTables(ask, schema);
      const name = `runs_${month}`;
      const found = await ask("SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2", [schema, name]);
      if (found.length > 0) return;
      // attached when it is made: that keeps no reader waiting, as to make it as a partition does
      await ask(`CREATE TABLE ${name} (LIKE runs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      await ask(`ALTER TABLE runs ATTACH PARTITION ${name} FOR VALUES IN (${month})`);
    });
  }

  return {
    async ensure(months) {
      for (const month of months) {
        if (known.has(month)) continue;
        await make(month);
        known.add(month);
      }
    },
  };
}
