import type { Filter } from "../catalog/filter.ts";
import { matches } from "../catalog/matches.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { type ApiDeps, MOST_LISTED } from "./api-deps.ts";

const AT_ONCE = 500;

/**
 * Runs that fit and are in no pack yet, out of those that are known; `exact` false: there are more than are known. One that has
 * been packed before, and is open again for its late spans, is the catalog's.
 */
export async function openFitting(
  { catalog, open }: Pick<ApiDeps, "catalog" | "open">,
  tenant: string,
  filter: Filter,
): Promise<{ rows: RunRow[]; exact: boolean }> {
  const known = await open.rows(tenant);
  const fitting = known.filter((row) => matches(filter, row, open.text(tenant, row.run)));
  const packed = new Set<string>();
  for (let at = 0; at < fitting.length; at += AT_ONCE) {
    const values = fitting.slice(at, at + AT_ONCE).map(({ run }) => run);
    const found = await catalog.find({ tenant, filter: { is: "one-of", field: "run", values } }, { limit: AT_ONCE });
    for (const { run } of found.rows) packed.add(run);
  }
  return { rows: fitting.filter(({ run }) => !packed.has(run)), exact: known.length < MOST_LISTED };
}
