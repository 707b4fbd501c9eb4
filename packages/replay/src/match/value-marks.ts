import type { ValueMarks } from "@reenact/capture/recorder";
import { markDifferences, markedNumbers } from "./compare-marks.ts";
import type { Difference } from "./difference.ts";
import type { ValueAlignment } from "./value-alignment.ts";

/** Marks of one value as recorded and as it is now; absent: nothing in it has one. */
export interface ComparedValue {
  readonly recorded: ValueMarks | undefined;
  readonly now: ValueMarks | null;
}

/** The first difference between two values whose redacted texts are equal. Marks of another key are counted as compared by place. Null: none. */
export function markedValue(
  { recorded, now }: ComparedValue,
  alignment: Pick<ValueAlignment, "noteByPlace">,
): Difference | null {
  if (recorded === undefined || now === null) return null;
  if (now.kid === recorded.kid)
    return markDifferences(recorded.places, now.places, { recorded: null, now: null })[0] ?? null;
  for (const { at, rule, marks = "" } of recorded.places)
    for (let n = markedNumbers(marks); n > 0; n--) alignment.noteByPlace(`value ${rule} ${at} ${n}`);
  return null;
}
