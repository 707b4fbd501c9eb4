import { EnvelopeError } from "@reenact/envelope";
import type { PackEntry } from "@reenact/envelope/pack";
import { z } from "zod";
import { type Mark, mark, markId } from "./mark.ts";

/** A mark does not hold any more. */
export const removal = z.strictObject({
  /** id of the mark */
  mark: z.string().regex(/^[0-9a-f]{16}$/),
  /** milliseconds since the epoch */
  at: z.number().nonnegative(),
  /** name of the key with which it was removed; absent: no keys are set */
  by: z.string().min(1).max(64).optional(),
});

export type Removal = z.infer<typeof removal>;
export type Statement = Mark | Removal;

/** All that was said of a run. Both lists only ever grow, so of two copies of one revision the longer one is the newer one. */
export interface Said {
  readonly marks: readonly Mark[];
  readonly removed: readonly Removal[];
}

export const NOTHING_SAID: Said = { marks: [], removed: [] };

export const isRemoval = (statement: Statement): statement is Removal => "mark" in statement;

/** Each once: what was taken before a crash may come again. */
export function joinSaid(before: Said, more: readonly Statement[]): Said {
  const marks = new Map(before.marks.map((each) => [markId(each), each]));
  const removed = new Map(before.removed.map((each) => [each.mark, each]));
  for (const each of more) {
    if (!isRemoval(each)) {
      if (!marks.has(markId(each))) marks.set(markId(each), each);
    } else if (!removed.has(each.mark)) removed.set(each.mark, each);
  }
  return { marks: [...marks.values()], removed: [...removed.values()] };
}

export const statementsOf = ({ marks, removed }: Said): Statement[] => [...marks, ...removed];
export const countOf = ({ marks, removed }: Said): number => marks.length + removed.length;

/** Those that were not removed. */
export function standingMarks({ marks, removed }: Said): readonly Mark[] {
  if (removed.length === 0) return marks;
  const gone = new Set(removed.map((each) => each.mark));
  return marks.filter((each) => !gone.has(markId(each)));
}

const receiptLists = z.object({ marks: z.array(mark).default([]), removed: z.array(removal).default([]) });

/** What was said of a run after it was sealed; it lies in the receipt of its pack entry. Throws `DAMAGED`. */
export function saidOf({ run, receipt }: Pick<PackEntry, "run" | "receipt">): Said {
  if (receipt["marks"] === undefined && receipt["removed"] === undefined) return NOTHING_SAID;
  const read = receiptLists.safeParse(receipt);
  if (read.success) return read.data;
  throw new EnvelopeError("DAMAGED", `pack entry of run ${run}`, "what was said of it cannot be read");
}

/** For a receipt: nothing where nothing was said. */
export const receiptOf = ({ marks, removed }: Said) => ({
  ...(marks.length > 0 && { marks: [...marks] }),
  ...(removed.length > 0 && { removed: [...removed] }),
});
