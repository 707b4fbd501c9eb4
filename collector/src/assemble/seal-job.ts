import type { Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { CloseReason } from "./close-policy.ts";
import type { Fence } from "../catalog/catalog.ts";
import type { OpenRun } from "./open-run.ts";
import { inTurns } from "./slices.ts";
import type { SpanColumns } from "./span-columns.ts";
import type { SpanTable } from "./span-table.ts";

/** What one assembler reads of the journal: all of it, or a partition. */
export interface JournalShare {
  /** of its cursor in the catalog */
  readonly name: string;
  /** what is committed for it carries this; null: no other process can read it */
  readonly fence: Fence | null;
  /**
   * The journal up to there is no longer needed: its spans are sealed and committed or belong to the jobs `done`, its marks
   * and removals are stored or are among `marked`. Both lists are what the caller commits together with this cursor.
   */
  cursor(done?: readonly SealJob[], marked?: readonly MarkChange[]): Position;
}

/** A run that is to be sealed, as the assembler hands it over. */
export interface SealJob {
  readonly tenant: string;
  readonly run: string;
  /** where its spans were read */
  readonly share: JournalShare;
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
  share: JournalShare,
  runsOfTrace: (tenant: string, trace: string) => Promise<readonly string[]>,
): SealJob {
  return {
    tenant,
    run: id,
    share,
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
