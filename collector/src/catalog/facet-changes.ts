import { type Filter, LIST_FIELDS, type ListField, TEXT_FIELDS, type TextField } from "./filter.ts";
import { comparable, LIST_OF, TEXT_OF } from "./row-fields.ts";
import type { RunRow } from "./run-row.ts";

export type FacetField = TextField | ListField;

/** Fields of which nearly every run has a value of its own: their runs are counted when somebody asks. */
const OWN_VALUES: readonly FacetField[] = ["run", "trace", "parent", "replayOf", "instance", "session"];
/** Fields of whose values a driver counts the runs beforehand, so that facets need not read a million rows. */
export const COUNTED_FIELDS: readonly FacetField[] = [...TEXT_FIELDS, ...LIST_FIELDS].filter(
  (field) => !OWN_VALUES.includes(field),
);

export interface FacetChange {
  /** tenant, field, value and status */
  readonly key: readonly [string, string, string, string];
  /** runs that have come, or, below 0, have gone; never 0 */
  readonly runs: number;
}

/** Gathers what the rows of one transaction change in the counts: many of them have the same values. */
export function createFacetChanges(): {
  /** A row has come (1) or gone (-1). */
  add(row: RunRow, runs: 1 | -1): void;
  /** All since the last call. */
  take(): FacetChange[];
} {
  let changes = new Map<string, { readonly key: FacetChange["key"]; runs: number }>();
  return {
    add(row, runs) {
      const tenant = comparable(row.tenant);
      for (const field of COUNTED_FIELDS) {
        for (const value of facetValues(row, field)) {
          const key = [tenant, field, value, row.status] as const;
          const name = JSON.stringify(key);
          const found = changes.get(name);
          if (found) found.runs += runs;
          else changes.set(name, { key, runs });
        }
      }
    },
    take() {
      const all = [...changes.values()].filter(({ runs }) => runs !== 0);
      changes = new Map();
      return all;
    },
  };
}

function facetValues(row: RunRow, field: FacetField): Iterable<string> {
  if (field in LIST_OF) return new Set(LIST_OF[field as ListField](row).map(comparable));
  const value = TEXT_OF[field as TextField](row);
  return value === null ? [] : [comparable(value)];
}

/** The statuses that a filter lets through, if it asks for nothing else and the counts can answer; null: they cannot. */
export function countedStatuses(filter: Filter): readonly string[] | "all" | null {
  if (filter.is === "all" && filter.of.length === 0) return "all";
  if (filter.is === "all" && filter.of.length === 1) return countedStatuses(filter.of[0]!);
  return filter.is === "one-of" && filter.field === "status" ? filter.values.map(comparable) : null;
}
