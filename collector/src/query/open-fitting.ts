import { asksWords, type Filter } from "../catalog/filter.ts";
import { matches } from "../catalog/matches.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { ReadDeps } from "./api-deps.ts";
import { MOST_LISTED } from "./unpacked-runs.ts";

const AT_ONCE = 500;
/** Runs whose texts are asked for together: each may have 64 KiB. */
const TEXTS_AT_ONCE = 50;

/** The runs of `known`, which are in no pack yet, that fit the filter. */
export async function fittingOf(
  open: Pick<ReadDeps["open"], "texts">,
  tenant: string,
  { known, filter }: { readonly known: readonly RunRow[]; readonly filter: Filter },
): Promise<RunRow[]> {
  if (!asksWords(filter)) return known.filter((row) => matches(filter, row, ""));
  const fitting: RunRow[] = [];
  for (let at = 0; at < known.length; at += TEXTS_AT_ONCE) {
    const some = known.slice(at, at + TEXTS_AT_ONCE);
    const ids = some.map(({ run }) => run);
    // oxlint-disable-next-line no-await-in-loop -- together they could be 128 MiB
    const texts = await open.texts(tenant, ids);
    fitting.push(...some.filter((row, n) => matches(filter, row, texts[n] ?? "")));
  }
  return fitting;
}

/**
 * Runs that fit and are in no pack yet, out of those that are known; `exact` false: there are more than are known. One that has
 * been packed before, and is open again for its late spans, is the catalog's.
 */
export async function openFitting(
  { catalog, open }: Pick<ReadDeps, "catalog" | "open">,
  tenant: string,
  filter: Filter,
): Promise<{ rows: RunRow[]; exact: boolean }> {
  const known = await open.rows(tenant);
  const fitting = await fittingOf(open, tenant, { known, filter });
  const packed = new Set<string>();
  for (let at = 0; at < fitting.length; at += AT_ONCE) {
    const values = fitting.slice(at, at + AT_ONCE).map(({ run }) => run);
    const found = await catalog.find({ tenant, filter: { is: "one-of", field: "run", values } }, { limit: AT_ONCE });
    for (const { run } of found.rows) packed.add(run);
  }
  return { rows: fitting.filter(({ run }) => !packed.has(run)), exact: known.length < MOST_LISTED };
}
