import type { Difference } from "../match/difference.ts";
import type { ComparedValue } from "../match/value-marks.ts";
import type { TapeSource } from "./tape-source.ts";

/** How values of a run are compared with those of its record. */
export interface ValueComparison {
  isSameValue(recorded: string, now: string): boolean;
  markedValue(marks: ComparedValue): Difference | null;
}

/** Of a run that is served from `source`; of one that never began there is none. */
export function valueComparison(source: TapeSource | null): ValueComparison | null {
  return source === null
    ? null
    : {
        isSameValue: (recorded, now) => source.isSameValue(recorded, now),
        markedValue: (marks) => source.markedValue(marks),
      };
}
