import type { DatabaseSync } from "node:sqlite";
import type { Facet, RunQuery } from "../catalog.ts";
import { COUNTED_FIELDS, createFacetChanges, countedStatuses, type FacetField } from "../facet-changes.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import type { RunRow } from "../run-row.ts";
import { numberOf } from "./sqlite-row.ts";

const KEY = "tenant, field, value, status";

/**
 * How many runs have each value, by tenant and status, so that facets need not read a million rows. Every change of rows changes
 * the counts in the same transaction.
 */
export const FACET_TABLE = `
CREATE TABLE facet_counts (
  tenant TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, status TEXT NOT NULL, runs INTEGER NOT NULL,
  PRIMARY KEY (${KEY})
) WITHOUT ROWID;
`;

/** Fills the table from the rows of an older catalog. */
export const FILL_FACETS = COUNTED_FIELDS.map((field) => {
  const isList = field in LIST_OF;
  const value = isList ? "v.value" : `r.${field}`;
  const rows = isList ? `runs r JOIN run_values v ON v.id = r.id AND v.field = '${field}'` : "runs r";
  return `INSERT INTO facet_counts SELECT r.tenant, '${field}', ${value}, r.status, count(*) FROM ${rows}
    WHERE ${value} IS NOT NULL AND r.status IS NOT NULL GROUP BY 1, 3, 4;`;
}).join("\n");

/** Keeps the table up to date. Changes are gathered until `save`, since many runs of one transaction have the same values. */
export function createFacetCounts(db: DatabaseSync): {
  /** A row has come (1) or gone (-1). */
  add(row: RunRow, runs: 1 | -1): void;
  save(): void;
  /** The transaction is given up. */
  forget(): void;
} {
  const change = db.prepare(
    `INSERT INTO facet_counts (${KEY}, runs) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (${KEY}) DO UPDATE SET runs = runs + excluded.runs RETURNING runs`,
  );
  const drop = db.prepare("DELETE FROM facet_counts WHERE tenant = ? AND field = ? AND value = ? AND status = ?");
  const changes = createFacetChanges();
  return {
    add: changes.add,
    save() {
      for (const { key, runs } of changes.take())
        if (numberOf(change.get(...key, runs), "runs") === 0) drop.run(...key);
    },
    forget: () => void changes.take(),
  };
}

/** The facet from the counts; null: they cannot answer this question, the rows can. */
export function countedFacet(
  db: DatabaseSync,
  { tenant, filter }: RunQuery,
  field: FacetField,
  limit: number,
): Facet[] | null {
  const statuses = countedStatuses(filter);
  if (tenant === undefined || statuses === null || !COUNTED_FIELDS.includes(field)) return null;
  const status = statuses === "all" ? "" : `AND status IN (${statuses.map(() => "?").join(", ")})`;
  const rows = db
    .prepare(
      `SELECT value, sum(runs) AS runs FROM facet_counts WHERE tenant = ? AND field = ? ${status}
       GROUP BY value ORDER BY 2 DESC, 1 LIMIT ?`,
    )
    .all(comparable(tenant), field, ...(statuses === "all" ? [] : statuses), limit);
  return rows.map((each) => ({ value: String(each["value"]), runs: Number(each["runs"]) }));
}
