import type { PackEntry } from "@reenact/envelope/pack";
import { z } from "zod";
import { type Mark, mark } from "./mark.ts";

const marks = z.array(mark);

/** What was said of a run after it was sealed; it lies in the receipt of its pack entry. */
export function marksOf(entry: Pick<PackEntry, "receipt">): readonly Mark[] {
  return marks.safeParse(entry.receipt["marks"]).data ?? [];
}
