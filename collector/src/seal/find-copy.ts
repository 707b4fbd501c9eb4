import { type PackEntry, parsePackKey } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { RunRow } from "../catalog/run-row.ts";
import { compareCopies, copyOf, readVoidCopies } from "../retain/copy-order.ts";
import { classPrefix, expiryOf, type RetentionTimes } from "../retain/retention-times.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { packKeys, readPackIndexFrom } from "./read-packs.ts";

export interface FoundCopy {
  readonly key: string;
  readonly class: RetentionClass;
  readonly entry: PackEntry;
}

/**
 * Looks for the current copy of a run in the packs themselves, where the one that its row names is gone; null: there is none that has not
 * expired. Reads the index of every pack of the tenant from the day of the row's pack on: later copies lie in no earlier one.
 */
export async function findCopy(
  store: ReadStore,
  { tenant, run, parts }: RunRow,
  { times, now }: { readonly times: RetentionTimes; readonly now: number },
): Promise<FoundCopy | null> {
  const day = parsePackKey(parts.at(-1)?.key ?? "")?.day.replaceAll("-", "/");
  if (day === undefined) return null;
  const isVoid = await readVoidCopies(store, { tenant, run });
  let best: FoundCopy | null = null;
  for (const kept of ["short", "sample", "keep"] as const) {
    const below = `${classPrefix(kept)}${tenant}/`;
    for await (const key of packKeys(store, below, `${below}${day}/`)) {
      if ((expiryOf(key, times) ?? Infinity) <= now) continue;
      for (const entry of await entriesOf(store, key, run)) {
        if (isVoid(tenant, run, copyOf(entry, kept))) continue;
        const isBetter = best === null || compareCopies(copyOf(entry, kept), copyOf(best.entry, best.class)) > 0;
        if (isBetter) best = { key, class: kept, entry };
      }
    }
  }
  return best;
}

/** None: the pack was removed since it was listed. */
async function entriesOf(store: ReadStore, key: string, run: string): Promise<readonly PackEntry[]> {
  try {
    const { runs } = await readPackIndexFrom(store, key);
    return runs.filter((entry) => entry.run === run);
  } catch (error) {
    if (error instanceof StoreError && error.code === "NO_OBJECT") return [];
    throw error;
  }
}
