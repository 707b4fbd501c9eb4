import { fenced } from "./catalog-error.ts";
import type { Catalog, Facet, FoundRuns, Page } from "./catalog.ts";
import { assertApplied, isInConflict, isRemovalInConflict } from "./change-outcome.ts";
import { matches } from "./matches.ts";
import {
  byOrder,
  byPlace,
  changeCursor,
  pageCursor,
  placeOf,
  readChangeCursor,
  readPageCursor,
} from "./page-cursor.ts";
import { comparable, LIST_OF, TEXT_OF } from "./row-fields.ts";
import { runNotes } from "./run-note.ts";
import type { RunRow } from "./run-row.ts";
import { type RunSums, seriesOf } from "./run-sums.ts";
import type { ListField, TextField } from "./filter.ts";

interface Stored {
  row: RunRow;
  text: string;
  change: number;
}

/** A catalog that forgets: for tests, and what other drivers are compared with. */
export function createMemoryCatalog(options: { now?: () => number } = {}): Catalog {
  const now = options.now ?? Date.now;
  const runs = new Map<string, Stored>();
  let changes = 0;
  const cursors = new Map<string, string>();
  const fences = new Map<string, number>();
  const leases = new Map<string, { owner: string; until: number }>();
  const key = (tenant: string, run: string) => JSON.stringify([tenant, run]);
  const fitting = ({ tenant, filter }: Parameters<Catalog["find"]>[0]) =>
    [...runs.values()].filter(
      ({ row, text }) => (tenant === undefined || row.tenant === tenant) && matches(filter, row, text),
    );

  return {
    async apply(change) {
      if (change.fence && fences.get(change.fence.name) !== change.fence.epoch) throw fenced(change.fence);
      const isRefused =
        (change.upsert ?? []).some((each) => isInConflict(each, runs.get(key(each.row.tenant, each.row.run))?.row)) ||
        (change.remove ?? []).some((each) => isRemovalInConflict(each, runs.get(key(each.tenant, each.run))?.row));
      if (isRefused) assertApplied("conflict", change);
      for (const { row, text } of change.upsert ?? []) {
        const old = runs.get(key(row.tenant, row.run));
        if (old && old.row.revision > row.revision) continue;
        runs.set(key(row.tenant, row.run), {
          row: structuredClone(row),
          text: text ?? old?.text ?? "",
          change: ++changes,
        });
      }
      for (const { tenant, run } of change.remove ?? []) {
        runs.delete(key(tenant, run));
        const [from, to] = runNotes(tenant, run);
        for (const name of cursors.keys()) if (name >= from && name < to) cursors.delete(name);
      }
      for (const [name, value] of Object.entries(change.cursors ?? {})) cursors.set(name, value);
    },
    async find(query, page) {
      if (page.order === "changed") return Promise.resolve(changed(fitting(query), page));
      const { order = "started" } = page;
      const after = page.after ? readPageCursor(page.after, order) : null;
      const all = fitting(query).map(({ row }) => row);
      const rest = all
        .filter((row) => after === null || byPlace(after, placeOf(row, order)) < 0)
        .toSorted(byOrder(order));
      const rows = rest.slice(0, page.limit);
      const last = rows.at(-1);
      const next = last && rest.length > rows.length ? pageCursor(last, order) : null;
      return Promise.resolve({ rows: structuredClone(rows), next, count: { value: all.length, exact: true } });
    },
    facets(query, fields, limit) {
      const rows = fitting(query).map(({ row }) => row);
      return Promise.resolve(Object.fromEntries(fields.map((field) => [field, facetOf(rows, field, limit)])));
    },
    sums(query, field, limit) {
      const groups = Map.groupBy(
        fitting(query).map(({ row }) => row),
        (row) => TEXT_OF[field](row),
      );
      const sums = [...groups].flatMap(([value, rows]) => (value === null ? [] : [sumOf(comparable(value), rows)]));
      return Promise.resolve(sums.toSorted((a, b) => b.last - a.last || (a.value < b.value ? -1 : 1)).slice(0, limit));
    },
    series(query, over) {
      const series = seriesOf(over);
      for (const { row } of fitting(query)) {
        if (row.started < over.from || row.started >= over.to) continue;
        series.add({ ...row, group: over.by === null ? null : TEXT_OF[over.by](row) });
      }
      return Promise.resolve({ points: series.points(), exact: true });
    },
    get: (tenant, run) => Promise.resolve(structuredClone(runs.get(key(tenant, run))?.row ?? null)),
    cursor: (name) => Promise.resolve(cursors.get(name) ?? null),
    lease(name, owner, forMs) {
      const held = leases.get(name);
      if (held && held.owner !== owner && held.until > now()) return Promise.resolve(false);
      leases.set(name, { owner, until: now() + forMs });
      return Promise.resolve(true);
    },
    async fence(name) {
      const epoch = (fences.get(name) ?? 0) + 1;
      fences.set(name, epoch);
      return epoch;
    },
    close: () => Promise.resolve(),
  };
}

function sumOf(value: string, rows: readonly RunRow[]): RunSums {
  const costs = rows.flatMap(({ cost }) => cost ?? []);
  return {
    value,
    runs: rows.length,
    failed: rows.filter(({ status }) => status === "failed").length,
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    first: Math.min(...rows.map(({ started }) => started)),
    last: Math.max(...rows.map(({ started }) => started)),
  };
}

function changed(all: readonly Stored[], page: Page): FoundRuns {
  const after = page.after ? readChangeCursor(page.after) : 0;
  const later = all.filter(({ change }) => change > after).toSorted((a, b) => a.change - b.change);
  const found = later.slice(0, page.limit);
  const last = found.at(-1);
  return {
    rows: structuredClone(found.map(({ row }) => row)),
    next: last ? changeCursor(last.change) : (page.after ?? null),
    count: { value: found.length, exact: false },
  };
}

function facetOf(rows: readonly RunRow[], field: TextField | ListField, limit: number): Facet[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const values = field in LIST_OF ? LIST_OF[field as ListField](row) : [TEXT_OF[field as TextField](row)];
    const unique = new Set(values.filter((value) => value !== null).map(comparable));
    for (const value of unique) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const facets = [...counts].map(([value, runs]) => ({ value, runs }));
  return facets
    .toSorted((a, b) => b.runs - a.runs || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .slice(0, limit);
}
