import { EnvelopeError } from "@reenact/envelope";
import type { Log } from "../log.ts";
import type { Fence } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Keeper } from "../retain/keeper.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { StoreError } from "../store/store-error.ts";
import { isTaken } from "./is-taken.ts";
import { retrying } from "./retrying.ts";

/**
 * True: the marks are stored, or never can be; false: the signal aborted, or another process owns what `fence` stands for and stores
 * them. Never rejects.
 */
export type PersistMarks = (
  tenant: string,
  run: string,
  marks: readonly MarkChange[],
  fence: Fence | null,
) => Promise<boolean>;

/** Adds marks and removals to sealed runs, and tries again while the store does not answer. */
export function createPersistMarks(
  keeper: Pick<Keeper, "mark">,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): PersistMarks {
  const giveUp = (error: unknown) =>
    error instanceof EnvelopeError ||
    isTaken(error) ||
    (error instanceof CatalogError && error.code === "REFUSED") ||
    (error instanceof StoreError && !error.retryable && error.code !== "DENIED");
  return async (tenant, run, marks, fence) => {
    try {
      await retrying(() => keeper.mark(tenant, run, marks, fence), {
        event: "retain.waits-for-store",
        log,
        signal,
        giveUp,
      });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (isTaken(error)) {
        log("info", "retain.fenced", { tenant, run, marks: marks.length });
        return false;
      }
      log("error", "retain.not-marked", { tenant, run, marks: marks.length, error });
      return true;
    }
  };
}
