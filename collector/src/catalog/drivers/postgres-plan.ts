import { createFacetChanges, type FacetChange } from "../facet-changes.ts";
import type { RunRow } from "../run-row.ts";
import type { GatheredRun } from "./postgres-gather.ts";
import { monthOf } from "./postgres-month.ts";

export interface StoredRun {
  readonly row: RunRow;
  /** of its partition */
  readonly month: number;
}

export interface NewRow {
  readonly row: RunRow;
  /** undefined: what is stored stays */
  readonly text: string | undefined;
  readonly month: number;
}

/** What becomes of the rows. */
export interface RunsPlan {
  /** in the order of their change */
  readonly put: readonly NewRow[];
  readonly gone: readonly StoredRun[];
  /** rows whose new content belongs to another partition */
  readonly moved: readonly { readonly from: StoredRun; readonly to: number }[];
  readonly facets: readonly FacetChange[];
}

/** `stored`: by the keys of the runs. A row of a lower revision than the stored one changes nothing. */
export function planRuns(runs: readonly GatheredRun[], stored: ReadonlyMap<string, StoredRun>, now: number): RunsPlan {
  const facets = createFacetChanges();
  const put: NewRow[] = [];
  const gone: StoredRun[] = [];
  const moved: { readonly from: StoredRun; readonly to: number }[] = [];

  function replace(latest: NonNullable<GatheredRun["put"]>, kept: StoredRun | undefined): void {
    if (kept && latest.row.revision < kept.row.revision) return;
    if (kept) facets.add(kept.row, -1);
    facets.add(latest.row, 1);
    const month = monthOf(latest.row.started, now);
    if (kept && kept.month !== month) moved.push({ from: kept, to: month });
    const isTextNew = !kept || latest.textRevision >= kept.row.revision;
    put.push({ row: latest.row, text: isTextNew ? latest.text : undefined, month });
  }

  for (const { key, removed, put: latest } of runs) {
    const before = stored.get(key);
    if (before && removed) {
      gone.push(before);
      facets.add(before.row, -1);
    }
    if (latest) replace(latest, removed ? undefined : before);
  }
  return { put, gone, moved, facets: facets.take() };
}
