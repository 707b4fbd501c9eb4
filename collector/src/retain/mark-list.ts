import { EnvelopeError } from "@reenact/envelope";
import type { PackEntry } from "@reenact/envelope/pack";
import { z } from "zod";
import { type Mark, mark } from "./mark.ts";

/** Says that a mark no longer counts. */
export const removal = z.strictObject({
  /** id of the mark */
  mark: z.string().regex(/^[0-9a-f]{16}$/),
  /** milliseconds since the epoch */
  at: z.number().nonnegative(),
  /** name of the API key with which the mark was removed; absent: the collector has no keys */
  by: z.string().min(1).max(64).optional(),
});

export type Removal = z.infer<typeof removal>;
export type MarkChange = Mark | Removal;

/**
 * The marks of a run and their removals. Both lists only grow, so of two copies of one revision the copy with more entries
 * is the newer one.
 */
export interface MarkList {
  readonly marks: readonly Mark[];
  readonly removed: readonly Removal[];
}

export const NO_MARKS: MarkList = { marks: [], removed: [] };

export const isRemoval = (change: MarkChange): change is Removal => "mark" in change;

/** Adds marks and removals. One that is there already is not added again: after a crash the journal delivers some twice. */
export function joinMarks(before: MarkList, more: readonly MarkChange[]): MarkList {
  const marks = new Map(before.marks.map((each) => [each.id, each]));
  const removed = new Map(before.removed.map((each) => [each.mark, each]));
  for (const each of more) {
    if (!isRemoval(each)) {
      if (!marks.has(each.id)) marks.set(each.id, each);
    } else if (!removed.has(each.mark)) removed.set(each.mark, each);
  }
  return { marks: [...marks.values()], removed: [...removed.values()] };
}

export const changesOf = ({ marks, removed }: MarkList): MarkChange[] => [...marks, ...removed];
export const countOf = ({ marks, removed }: MarkList): number => marks.length + removed.length;

/** The marks that were not removed. */
export function standingMarks({ marks, removed }: MarkList): readonly Mark[] {
  if (removed.length === 0) return marks;
  const gone = new Set(removed.map((each) => each.mark));
  return marks.filter((each) => !gone.has(each.id));
}

const receiptLists = z.object({ marks: z.array(mark).default([]), removed: z.array(removal).default([]) });

/** The marks and removals in the receipt of a pack entry. Throws `DAMAGED`. */
export function markListOf({ run, receipt }: Pick<PackEntry, "run" | "receipt">): MarkList {
  if (receipt["marks"] === undefined && receipt["removed"] === undefined) return NO_MARKS;
  const read = receiptLists.safeParse(receipt);
  if (read.success) return read.data;
  throw new EnvelopeError("DAMAGED", `pack entry of run ${run}`, "its marks cannot be read");
}

/** The marks and removals as fields of a receipt; an empty list has no field. */
export const receiptOf = ({ marks, removed }: MarkList) => ({
  ...(marks.length > 0 && { marks: [...marks] }),
  ...(removed.length > 0 && { removed: [...removed] }),
});
