import type { PackEntry, PackIndex } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunPart, RunRow } from "../catalog/run-row.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { readPackIndexFrom } from "./read-packs.ts";

/**
 * Corrects a row whose pack is gone: a catalog that was restored from a backup names copies that have been replaced since. False: no pack
 * has the run, it has expired.
 */
export type RestoreRow = (row: RunRow) => Promise<boolean>;

export interface NewestRevision<T> {
  readonly row: RunRow;
  readonly part: RunPart;
  /** null: its pack is gone, the run has expired */
  readonly found: T | null;
}

/**
 * Reads from the pack of a run's newest revision; null: none is sealed. If the run is moved to another pack after its row was
 * read, it is read from there; where the pack is gone, `restoreRow` looks for another one that has the run. Throws the errors of `read`,
 * except `NO_OBJECT`.
 */
export async function readNewest<T>(
  catalog: Pick<Catalog, "get">,
  { tenant, run }: { readonly tenant: string; readonly run: string },
  read: (part: RunPart) => Promise<T>,
  restoreRow: RestoreRow,
): Promise<NewestRevision<T> | null> {
  for (;;) {
    const row = await catalog.get(tenant, run);
    const part = row?.state === "sealed" ? row.parts.at(-1) : undefined;
    if (!row || !part) return null;
    try {
      return { row, part, found: await read(part) };
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "NO_OBJECT") throw error;
      const now = (await catalog.get(tenant, run))?.parts.at(-1);
      const isSame = !now || (now.key === part.key && now.offset === part.offset);
      if (isSame && !(await restoreRow(row))) return { row, part, found: null };
    }
  }
}

/** The entry of a revision in its pack. Throws `NO_OBJECT` if the pack is gone, or does not hold it. */
export async function packEntryOf(
  store: ReadStore,
  run: string,
  part: Pick<RunPart, "key" | "revision">,
): Promise<PackEntry> {
  return packEntryIn(await readPackIndexFrom(store, part.key), run, part);
}

/** The same, of an index that was read. */
export function packEntryIn(
  { runs }: Pick<PackIndex, "runs">,
  run: string,
  { key, revision }: Pick<RunPart, "key" | "revision">,
): PackEntry {
  const entry = runs.find((each) => each.run === run && each.revision === revision);
  if (!entry) throw new StoreError("NO_OBJECT", `run ${run}`, `is not in ${key}`);
  return entry;
}
