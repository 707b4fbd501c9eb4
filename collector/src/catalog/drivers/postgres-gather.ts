import type { CatalogChange } from "../catalog.ts";
import { comparable } from "../row-fields.ts";
import { runNotes } from "../run-note.ts";
import type { RunRow } from "../run-row.ts";

/** What several changes, one after another, come to for one run. */
export interface GatheredRun {
  readonly key: string;
  readonly tenant: string;
  readonly run: string;
  /** what was stored goes, before anything is put */
  removed: boolean;
  /** null: nothing */
  put: {
    readonly row: RunRow;
    readonly text: string | undefined;
    /** of the row with which the text came: it is dropped where that row would have been */
    readonly textRevision: number;
  } | null;
}

export interface GatheredChange {
  /** in the order in which each was put last */
  readonly runs: readonly GatheredRun[];
  readonly cursors: ReadonlyMap<string, string>;
}

export const keyOfRun = (tenant: string, run: string): string => JSON.stringify([comparable(tenant), comparable(run)]);

/** Several changes as one, in which each run and each cursor comes once. */
export function gatherChanges(changes: readonly CatalogChange[]): GatheredChange {
  const runs = new Map<string, GatheredRun>();
  const cursors = new Map<string, string>();

  function gathered(tenant: string, run: string): GatheredRun {
    const key = keyOfRun(tenant, run);
    return runs.get(key) ?? { key, tenant, run, removed: false, put: null };
  }

  function put(row: RunRow, text: string | undefined): void {
    const found = gathered(row.tenant, row.run);
    const before = found.put;
    if (before && row.revision < before.row.revision) return;
    found.put = text === undefined && before ? { ...before, row } : { row, text, textRevision: row.revision };
    // last in order
    runs.delete(found.key);
    runs.set(found.key, found);
  }

  function remove(tenant: string, run: string): void {
    const found = gathered(tenant, run);
    runs.set(found.key, found);
    found.removed = true;
    found.put = null;
    const [first, behind] = runNotes(tenant, run);
    for (const name of cursors.keys()) if (name >= first && name < behind) cursors.delete(name);
  }

  for (const { upsert, remove: gone, cursors: set } of changes) {
    for (const { row, text } of upsert ?? []) put(row, text);
    for (const { tenant, run } of gone ?? []) remove(tenant, run);
    for (const [name, value] of Object.entries(set ?? {})) cursors.set(name, value);
  }
  return { runs: [...runs.values()], cursors };
}
