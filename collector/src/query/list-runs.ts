import type { z } from "zod";
import type { Filter } from "../catalog/filter.ts";
import { matches } from "../catalog/matches.ts";
import { inOrder, pageCursor, readPageCursor } from "../catalog/page-cursor.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { type ApiDeps, MOST_LISTED } from "./api-deps.ts";
import { apiRunOf } from "./api-run.ts";
import type { runsAnswer, runsQuery } from "./api-schema.ts";
import { parseMoment } from "./moment.ts";
import { parseFilter } from "./parse-filter.ts";

/** Filter expression and moment together. Throws `BAD_FILTER`. */
export function filterOf(query: { filter: string; at?: string | undefined }, now: number): Filter {
  const filter = parseFilter(query.filter, now);
  return query.at === undefined ? filter : { is: "all", of: [filter, parseMoment(query.at)] };
}

/**
 * One page. Runs that are in no pack yet stand among the others, out of those that are known; free text is not searched in
 * open ones.
 */
export async function listRuns(
  { catalog, open, now = Date.now }: ApiDeps,
  tenant: string,
  query: z.infer<typeof runsQuery>,
): Promise<z.infer<typeof runsAnswer>> {
  const { limit } = query;
  const filter = filterOf(query, now());
  const place = query.after === undefined ? null : readPageCursor(query.after);
  let all = true;
  let before = 0;
  // In this order: a run that is packed meanwhile is in both, and not in neither.
  const unpacked = await openRuns();
  const { rows, next, count } = await catalog.find({ tenant, filter }, { limit, after: query.after ?? null });
  const found = new Set(rows.map(({ run }) => run));
  const live = unpacked.filter(({ run }) => !found.has(run));
  const both = [...live, ...rows].toSorted(inOrder);
  const page = both.slice(0, limit);
  const last = page.at(-1);
  return {
    schemaVersion: 1,
    runs: page.map(apiRunOf),
    next: both.length > limit && last !== undefined ? pageCursor(last) : next,
    count: { value: count.value + live.length + before, exact: count.exact && all },
  };

  /** Behind the place, newest first: one more than a page holds. */
  async function openRuns(): Promise<RunRow[]> {
    const known = await open.rows(tenant);
    const fitting = known.filter((row) => matches(filter, row, open.text(tenant, row.run)));
    const behind = fitting.filter((row) => place === null || inOrder(place, row) < 0).toSorted(inOrder);
    const live: RunRow[] = [];
    let looked = 0;
    while (looked < behind.length && live.length <= limit) {
      const some = behind.slice(looked, looked + limit + 1);
      const sealed = await Promise.all(some.map(({ run }) => catalog.get(tenant, run)));
      live.push(...some.filter((_, at) => sealed[at] === null));
      looked += some.length;
    }
    before = fitting.length - behind.length;
    all = before === 0 && looked === behind.length && known.length < MOST_LISTED;
    return live.slice(0, limit + 1);
  }
}
