import { JOURNAL_START, type Position } from "../../journal.ts";

/** A byte of a segment file. */
export interface SegmentPlace {
  /** from 1; 0: before all */
  readonly segment: number;
  /** bytes from the begin of the segment */
  readonly offset: number;
}

const BEFORE_ALL: SegmentPlace = { segment: 0, offset: 0 };
const FORM = /^(\d{10}):(\d{12})$/;

/** Of fixed width: the order of the texts is the order of the places. */
export const positionAt = (segment: number, offset: number): Position =>
  `${String(segment).padStart(10, "0")}:${String(offset).padStart(12, "0")}` as Position;

/** null: not a text of `positionAt`, nor `JOURNAL_START`. */
export function placeOf(text: string): SegmentPlace | null {
  if (text === JOURNAL_START) return BEFORE_ALL;
  const parts = FORM.exec(text);
  return parts && { segment: Number(parts[1]), offset: Number(parts[2]) };
}

/** As a journal reads a text that was stored. */
export const storedPosition = (text: string | null): Position | null =>
  text !== null && placeOf(text) !== null ? (text as Position) : null;
