import type { PackEntry } from "@reenact/envelope/pack";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunPart, RunRow } from "../catalog/run-row.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { readPackIndexFrom } from "./read-packs.ts";

export interface NewestRevision<T> {
  readonly row: RunRow;
  readonly part: RunPart;
  /** null: its pack is gone, the run has expired */
  readonly found: T | null;
}

/**
 * Reads something of the newest sealed revision of a run; null: none is sealed. A run may be moved to another pack, and the
 * old one removed, between row and pack: then it is read where it is now. Throws what `read` throws, but for `NO_OBJECT`.
 */
export async function readNewest<T>(
  catalog: Pick<Catalog, "get">,
  { tenant, run }: { readonly tenant: string; readonly run: string },
  read: (part: RunPart) => Promise<T>,
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
      if (!now || (now.key === part.key && now.offset === part.offset)) return { row, part, found: null };
    }
  }
}

/** What a pack says of one revision. Throws `NO_OBJECT` too where it is not in the pack. */
export async function packEntryOf(
  store: ReadStore,
  run: string,
  { key, revision }: Pick<RunPart, "key" | "revision">,
): Promise<PackEntry> {
  const { runs } = await readPackIndexFrom(store, key);
  const entry = runs.find((each) => each.run === run && each.revision === revision);
  if (!entry) throw new StoreError("NO_OBJECT", `run ${run}`, `is not in ${key}`);
  return entry;
}
