import { JOURNAL_START, type Position } from "../../journal.ts";

const FORM = /^k\d{16}$/;

/** The place of a record in its partition. Of fixed width: the order of the texts is the order of the offsets. */
export const offsetPosition = (offset: number): Position => `k${String(offset).padStart(16, "0")}` as Position;

/** null: not a text of `offsetPosition`, nor `JOURNAL_START`. */
export function offsetOf(text: string): number | null {
  if (text === JOURNAL_START) return 0;
  return FORM.test(text) ? Number(text.slice(1)) : null;
}

export const storedOffset = (text: string | null): Position | null =>
  text !== null && offsetOf(text) !== null ? (text as Position) : null;
