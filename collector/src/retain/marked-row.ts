import type { RunRow } from "../catalog/run-row.ts";
import { flagsOf } from "./choose-class.ts";
import type { Mark } from "./mark.ts";

/** The row with what has been said of its run and is not in it yet, as far as it can be shown before a class is chosen. */
export function markedRow(row: RunRow, marks: readonly Mark[]): RunRow {
  const pinned = marks.some((each) => each.pinned) ? ({ class: "keep", rule: "pinned" } as const) : {};
  return { ...row, ...pinned, flags: flagsOf(row, marks) };
}
