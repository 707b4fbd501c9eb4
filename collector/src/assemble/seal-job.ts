import type { Position } from "../journal/journal.ts";
import type { CloseReason } from "./close-policy.ts";
import type { SpanColumns } from "./span-table.ts";

/** A run that is to be sealed, as the assembler hands it over. */
export interface SealJob {
  readonly tenant: string;
  readonly run: string;
  /** false: no recorder of ours made it, its id is the trace's */
  readonly own: boolean;
  readonly reason: CloseReason;
  /** milliseconds since the epoch */
  readonly firstReceived: number;
  readonly lastReceived: number;
  /** of the entry with its first span */
  readonly position: Position;
  /** bytes of its spans */
  readonly bytes: number;
  /** where its spans lie; the caller's to keep */
  columns(): SpanColumns;
}
