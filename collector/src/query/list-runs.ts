import type { z } from "zod";
import type { Filter } from "../catalog/filter.ts";
import { byOrder, byPlace, pageCursor, placeOf, readPageCursor, type RunOrder } from "../catalog/page-cursor.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { ReadDeps } from "./api-deps.ts";
import { MOST_LISTED } from "./unpacked-runs.ts";
import { apiRunOf } from "./api-run.ts";
import type { runsAnswer, runsQuery } from "./api-schema.ts";
import { fittingOf } from "./open-fitting.ts";
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
  deps: Pick<ReadDeps, "catalog" | "open" | "now">,
  tenant: string,
  query: z.infer<typeof runsQuery>,
): Promise<z.infer<typeof runsAnswer>> {
  const { now = Date.now } = deps;
  return listPage(deps, tenant, { ...query, filter: filterOf(query, now()) });
}

/** As `listRuns`, by a filter that is none of an expression. */
export async function listPage(
  { catalog, open }: Pick<ReadDeps, "catalog" | "open">,
  tenant: string,
  query: { filter: Filter; limit: number; order: RunOrder; after?: string | undefined; local?: boolean },
): Promise<z.infer<typeof runsAnswer>> {
  const { limit, order, filter } = query;
  const place = query.after === undefined ? null : readPageCursor(query.after, order);
  let all = true;
  let before = 0;
  // In this order: a run that is packed meanwhile is in both, and not in neither.
  const unpacked = await openRuns();
  const { rows, next, count } = await catalog.find({ tenant, filter }, { limit, order, after: query.after ?? null });
  const found = new Set(rows.map(({ run }) => run));
  const live = unpacked.filter(({ run }) => !found.has(run));
  const both = [...live, ...rows].toSorted(byOrder(order));
  const page = both.slice(0, limit);
  const last = page.at(-1);
  return {
    schemaVersion: 1,
    runs: page.map(apiRunOf),
    next: both.length > limit && last !== undefined ? pageCursor(last, order) : next,
    count: { value: count.value + live.length + before, exact: count.exact && all },
  };

  /** Behind the place, newest first: one more than a page holds. */
  async function openRuns(): Promise<RunRow[]> {
    const known = await open.rows(tenant, "", query.local);
    const fitting = await fittingOf(open, tenant, { known, filter });
    const behind = fitting
      .filter((row) => place === null || byPlace(place, placeOf(row, order)) < 0)
      .toSorted(byOrder(order));
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
