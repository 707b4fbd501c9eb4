import type { RunRow } from "../catalog/run-row.ts";
import { flagsOf } from "./choose-class.ts";
import { joinSaid, NOTHING_SAID, standingMarks, type Statement } from "./said.ts";

/** The row with marks and removals that are not stored with the run yet. Only a pin changes its class: other marks need the rules. */
export function markedRow(row: RunRow, statements: readonly Statement[]): RunRow {
  const marks = standingMarks(joinSaid(NOTHING_SAID, statements));
  const pinned = marks.some((each) => each.pinned) ? ({ class: "keep", rule: "pinned" } as const) : {};
  return { ...row, ...pinned, flags: flagsOf(row, marks) };
}
