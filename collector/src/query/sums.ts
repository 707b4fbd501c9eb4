import type { z } from "zod";
import type { Filter, TextField } from "../catalog/filter.ts";
import { LIST_OF, TEXT_OF } from "../catalog/row-fields.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { RunSums } from "../catalog/run-sums.ts";
import type { ReadDeps } from "./api-deps.ts";
import { ApiError } from "./api-error.ts";
import type { facetsAnswer, facetsQuery } from "./api-schema.ts";
import { filterOf, listPage } from "./list-runs.ts";
import { openFitting } from "./open-fitting.ts";
import type { memberQuery, seriesAnswer, seriesQuery, sumsQuery } from "./sums-schema.ts";

type Deps = Pick<ReadDeps, "catalog" | "open" | "now">;
const DAY = 86_400_000;

const one = (field: TextField, value: string): Filter => ({ is: "one-of", field, values: [value] });

/** The most frequent values, runs in no pack yet included. Throws `BAD_FILTER`. */
export async function facetsOf(
  { catalog, open, now = Date.now }: Deps,
  tenant: string,
  query: z.infer<typeof facetsQuery>,
): Promise<z.infer<typeof facetsAnswer>> {
  const filter = filterOf(query, now());
  // in this order: a run that is packed meanwhile counts
  const live = await openFitting({ catalog, open }, tenant, filter);
  const found = await catalog.facets({ tenant, filter }, query.fields, query.limit + live.rows.length);
  const facets = query.fields.map((field) => {
    const runs = new Map((found[field] ?? []).map((each) => [each.value, each.runs]));
    for (const row of live.rows) for (const value of valuesOf(row, field)) runs.set(value, (runs.get(value) ?? 0) + 1);
    const sorted = [...runs].map(([value, count]) => ({ value, runs: count }));
    sorted.sort((a, b) => b.runs - a.runs || (a.value < b.value ? -1 : 1));
    return [field, sorted.slice(0, query.limit)] as const;
  });
  return { schemaVersion: 1, facets: Object.fromEntries(facets), exact: live.exact };
}

function valuesOf(row: RunRow, field: keyof typeof TEXT_OF | keyof typeof LIST_OF): readonly string[] {
  if (field in LIST_OF) return [...new Set(LIST_OF[field as keyof typeof LIST_OF](row))];
  const value = TEXT_OF[field as TextField](row);
  return value === null ? [] : [value];
}

/** Throws `BAD_FILTER`, and `BAD_REQUEST` for a time that is none. */
export async function seriesOver(
  { catalog, open, now = Date.now }: Deps,
  tenant: string,
  query: z.infer<typeof seriesQuery>,
): Promise<z.infer<typeof seriesAnswer>> {
  const to = query.to ?? now();
  const from = query.from ?? Math.max(0, to - DAY);
  if (from >= to) throw new ApiError("BAD_REQUEST", "from: is not before to");
  const bucketMs = Math.max(1, Math.ceil((to - from) / query.buckets));
  const filter = filterOf(query, now());
  const by = query.by ?? null;
  const live = await openFitting({ catalog, open }, tenant, filter);
  const { points, exact } = await catalog.series({ tenant, filter }, { from, to, bucketMs, by });
  const all = new Map(points.map((point) => [JSON.stringify([point.at, point.group]), { ...point, open: 0 }]));
  for (const row of live.rows) {
    if (row.started < from || row.started >= to) continue;
    const at = from + Math.floor((row.started - from) / bucketMs) * bucketMs;
    const group = by === null ? null : TEXT_OF[by](row);
    const key = JSON.stringify([at, group]);
    const none = { at, group, runs: 0, open: 0, failed: 0, aborted: 0, tokens: 0, cost: null };
    const point = all.get(key) ?? { ...none, p50: null, p95: null, p99: null };
    all.set(key, withOpenRow(point, row));
  }
  const sorted = [...all.values()].toSorted((a, b) => a.at - b.at || ((a.group ?? "") < (b.group ?? "") ? -1 : 1));
  return { schemaVersion: 1, from, to, bucketMs, exact: exact && live.exact, points: sorted.slice(0, 50_000) };
}

type SeriesPoint = z.infer<typeof seriesAnswer>["points"][number];

/** A point of a series with one more run that is in no pack. */
function withOpenRow(point: SeriesPoint, row: RunRow): SeriesPoint {
  // of a run that goes on the status says nothing yet; one of a local folder has ended
  const ended = row.state === "sealed" ? row.status : null;
  return {
    ...point,
    runs: point.runs + 1,
    open: point.open + 1,
    failed: point.failed + (ended === "failed" ? 1 : 0),
    aborted: point.aborted + (ended === "aborted" ? 1 : 0),
    tokens: point.tokens + row.tokens,
    cost: row.cost === null ? point.cost : (point.cost ?? 0) + row.cost,
  };
}

/** Sums by a field, the one with the newest run first. */
export async function sumsOf(
  { catalog, now = Date.now }: Deps,
  tenant: string,
  { field, query }: { field: "session" | "user"; query: z.infer<typeof sumsQuery> },
): Promise<RunSums[]> {
  return [...(await catalog.sums({ tenant, filter: filterOf(query, now()) }, field, query.limit))];
}

/** One session or user, with the sums over its runs. Throws `NOT_FOUND`. */
export async function memberOf(
  deps: Deps,
  tenant: string,
  { field, value, query }: { field: "session" | "user"; value: string; query: z.infer<typeof memberQuery> },
) {
  const filter = one(field, value);
  const page = await listPage(deps, tenant, { filter, ...query, order: "started" });
  const [sums] = await deps.catalog.sums({ tenant, filter }, field, 1);
  if (!sums && page.runs.length === 0)
    throw new ApiError("NOT_FOUND", `there is no run of the ${field} ${JSON.stringify(value.slice(0, 100))}`);
  const none = { runs: 0, failed: 0, tokens: 0, cost: null, first: 0, last: 0 };
  const { value: _, ...added } = sums ?? { value, ...none };
  return { schemaVersion: 1, [field]: value, sums: added, runs: page.runs, next: page.next };
}
