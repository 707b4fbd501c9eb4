import { byPlace, type ListPlace, placeOfRow, placeText, readPlace } from "./list-place.ts";
import { localRows } from "./local-rows.ts";
import { openRemote } from "./remote/open-remote.ts";
import type { RemoteOptions } from "./remote/remote-options.ts";
import type { RemoteRuns, RunsPage, RunsQuery } from "./remote/remote-runs.ts";
import { standingServer } from "./remote/standing-server.ts";
import type { RunRow } from "./run-row.ts";

/**
 * A page of the local store and the collector that stands beside it, as one list. A run that is in both is the one here.
 * `count`: of both, on the first page; while there are more, one that is in both may count twice.
 */
export async function listNear(
  options: RemoteOptions & { store: string },
  query: RunsQuery,
  told: Set<string>,
): Promise<RunsPage> {
  const place = query.after === undefined ? null : readPlace(query.after);
  const here = await localRows(options.store, query, told);
  const up = standingServer(options.store);
  const there = up === null ? null : await rowsThere(await openRemote(up, options), query, place, here);
  const behind = here.filter((row) => isBehind(row, place));
  const all = [...behind, ...(there?.rows ?? [])].toSorted((a, b) => byPlace(placeOfRow(a), placeOfRow(b)));
  const rows = all.slice(0, query.limit);
  const last = rows.at(-1);
  const more = all.length > rows.length && last !== undefined;
  const beside = there === null ? 0 : there.count;
  const count = !more ? all.length : beside === null ? null : here.length + beside;
  return { rows, next: more ? placeText(last) : null, count: place === null ? count : null };
}

const isBehind = (row: RunRow, place: ListPlace | null): boolean =>
  place === null || byPlace(place, placeOfRow(row)) < 0;

/**
 * What a collector has behind a place and is not here, one more than a page holds. It is asked by time and not by its own
 * cursor, which knows nothing of the runs here.
 */
async function rowsThere(
  from: RemoteRuns,
  query: RunsQuery,
  place: ListPlace | null,
  here: readonly RunRow[],
): Promise<{ rows: RunRow[]; count: number | null }> {
  const ids = new Set(here.map(({ run }) => run));
  const wanted = query.limit + 1;
  const rows: RunRow[] = [];
  let after: string | undefined;
  let count: number | null = null;
  try {
    const own = query.filter === undefined || query.filter.trim() === "" ? "" : ` (${query.filter})`;
    const filter = place === null ? query.filter : `started<=${place.started}${own}`;
    do {
      const page = await from.list({ ...query, filter, limit: wanted, after });
      if (after === undefined) count = page.count;
      rows.push(...page.rows.filter((row) => !ids.has(row.run) && isBehind(row, place)));
      after = page.next ?? undefined;
    } while (after !== undefined && rows.length < wanted);
  } finally {
    from.close();
  }
  return { rows, count };
}
