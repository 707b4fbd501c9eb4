import { EnvelopeError } from "@reenact/envelope";
import type { Log } from "../log.ts";
import type { Keeper } from "../retain/keeper.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { StoreError } from "../store/store-error.ts";
import { retrying } from "./retrying.ts";

/** True: the marks are stored, or never can be; false: the signal aborted. Never rejects. */
export type PersistMarks = (tenant: string, run: string, marks: readonly MarkChange[]) => Promise<boolean>;

/** Adds marks and removals to sealed runs, and tries again while the store does not answer. */
export function createPersistMarks(
  keeper: Pick<Keeper, "mark">,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): PersistMarks {
  const giveUp = (error: unknown) =>
    error instanceof EnvelopeError || (error instanceof StoreError && !error.retryable && error.code !== "DENIED");
  return async (tenant, run, marks) => {
    try {
      await retrying(() => keeper.mark(tenant, run, marks), { event: "retain.waits-for-store", log, signal, giveUp });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      log("error", "retain.not-marked", { tenant, run, marks: marks.length, error });
      return true;
    }
  };
}
