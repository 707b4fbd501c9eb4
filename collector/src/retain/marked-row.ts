import type { RunRow } from "../catalog/run-row.ts";
import { flagsOf } from "./choose-class.ts";
import { joinMarks, NO_MARKS, standingMarks, type MarkChange } from "./mark-list.ts";

/** The row with marks and removals that are not stored with the run yet. Only a pin changes its class: other marks need the rules. */
export function markedRow(row: RunRow, changes: readonly MarkChange[]): RunRow {
  const marks = standingMarks(joinMarks(NO_MARKS, changes));
  const pinned = marks.some((each) => each.pinned) ? ({ class: "keep", rule: "pinned" } as const) : {};
  return { ...row, ...pinned, flags: flagsOf(row, marks) };
}
