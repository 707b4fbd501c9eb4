import type { Catalog } from "../catalog/catalog.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { CHECKPOINTS_PREFIX, checkpointOf, pointerName } from "./own-partition.ts";

/** An owner may have written one and not have named it yet, milliseconds. */
const GRACE_MS = 86_400_000;

/**
 * Removes the checkpoints that the catalog does not name: an owner wrote them and could not commit them any more, or ended before it had
 * removed the one before. Those of a partition of which the catalog names none stay: one that was made again knows none yet. Resolves to their number.
 */
export async function sweepCheckpoints(
  store: Pick<ObjectStore, "list" | "delete">,
  catalog: Pick<Catalog, "cursor">,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<number> {
  const named = new Map<string, string | null>();
  let removed = 0;
  for await (const { key, modified } of store.list(`${CHECKPOINTS_PREFIX}${id}/`)) {
    const partition = key.slice(CHECKPOINTS_PREFIX.length).split("/")[1]!;
    if (!named.has(partition)) {
      const pointer = checkpointOf(await catalog.cursor(pointerName(id, partition)));
      named.set(partition, pointer?.key ?? null);
    }
    const current = named.get(partition);
    if (current === null || current === key || modified + GRACE_MS > now) continue;
    await store.delete(key);
    removed++;
  }
  return removed;
}
