import type { z } from "zod";
import type { Filter } from "../catalog/filter.ts";
import { matches } from "../catalog/matches.ts";
import { inOrder } from "../catalog/page-cursor.ts";
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
 * One page. Runs that are in no pack yet stand on the first one, beside the page's own and at most as many; free text is
 * not searched in open ones.
 */
export async function listRuns(
  { catalog, open, now = Date.now }: ApiDeps,
  tenant: string,
  query: z.infer<typeof runsQuery>,
): Promise<z.infer<typeof runsAnswer>> {
  const filter = filterOf(query, now());
  let all = true;
  // In this order: a run that is packed meanwhile is in both, and not in neither.
  const unpacked = query.after === undefined ? await openRuns() : [];
  const { rows, next, count } = await catalog.find(
    { tenant, filter },
    { limit: query.limit, after: query.after ?? null },
  );
  const found = new Set(rows.map(({ run }) => run));
  const live = unpacked.filter(({ run }) => !found.has(run));
  return {
    schemaVersion: 1,
    runs: [...live, ...rows].toSorted(inOrder).map(apiRunOf),
    next,
    count: { value: count.value + live.length, exact: count.exact && all },
  };

  async function openRuns(): Promise<RunRow[]> {
    const known = await open.rows(tenant);
    const fitting = known.filter((row) => matches(filter, row, open.text(tenant, row.run)));
    const newest = fitting.toSorted(inOrder).slice(0, query.limit);
    const sealed = await Promise.all(newest.map(({ run }) => catalog.get(tenant, run)));
    all = newest.length === fitting.length && known.length < MOST_LISTED;
    return newest.filter((_, at) => sealed[at] === null);
  }
}
