import type { Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { CloseReason } from "./close-policy.ts";
import type { OpenRun } from "./open-run.ts";
import { inTurns } from "./slices.ts";
import type { SpanColumns } from "./span-columns.ts";
import type { SpanTable } from "./span-table.ts";

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
  /** marks and removals that came while it was open */
  readonly marks: readonly MarkChange[];
  /**
   * Other runs, sealed, that may hold some of its spans: those that others made and that were read again after a restart.
   * Empty for nearly every run.
   */
  others(): Promise<readonly string[]>;
  /** where its spans lie; the caller's to keep */
  columns(): Promise<SpanColumns>;
}

/** The job that seals the run as it is now; spans that come later are not in it. */
export function sealJob(
  { tenant, id, own, firstReceived, lastReceived, position, bytes, head, spans, again }: OpenRun,
  reason: CloseReason,
  marks: readonly MarkChange[],
  table: SpanTable,
  runsOfTrace: (tenant: string, trace: string) => Promise<readonly string[]>,
): SealJob {
  return {
    tenant,
    run: id,
    own,
    reason,
    firstReceived,
    lastReceived,
    position,
    bytes,
    marks,
    others: async () => {
      const runs = await Promise.all(again.map((trace) => runsOfTrace(tenant, trace)));
      return [...new Set(runs.flat())].filter((each) => each !== id);
    },
    columns: async () => (await inTurns(table.copyColumns(head, spans)))!,
  };
}
