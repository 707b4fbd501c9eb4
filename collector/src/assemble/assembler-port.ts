import type { Fence } from "../catalog/catalog.ts";
import type { Journal, Position, RecordReference } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { CloseLimits } from "./close-policy.ts";
import type { ArrivedSpans } from "./copy-chains.ts";
import type { JournalShare } from "./seal-job.ts";
import type { OpenRunView } from "./open-run.ts";
import type { SealJob } from "./seal-job.ts";
import type { SpanColumns } from "./span-columns.ts";

export interface AssemblerDeps {
  readonly journal: Omit<Journal, "append" | "release">;
  /** of the cursor in the catalog; default: that of the whole journal */
  readonly name?: string;
  /** what is committed of its runs carries this; default: no other process reads here */
  readonly fence?: Fence;
  /** Seals a run; resolves when it is committed, or when there was nothing new in it. Tries for ever. */
  readonly seal: (job: SealJob) => Promise<void>;
  /** Runs of ours that are sealed and have spans in a trace, the first one first. */
  readonly runsOfTrace: (tenant: string, trace: string) => Promise<readonly string[]>;
  /**
   * Adds marks and removals to a sealed run. Resolves with true when they are stored, or never can be; never rejects. `waits`:
   * the run has open spans; then false can also mean that no revision of it is sealed yet.
   */
  readonly mark: (
    tenant: string,
    run: string,
    marks: readonly MarkChange[],
    of: { readonly waits: boolean; readonly fence: Fence | null },
  ) => Promise<boolean>;
  readonly limits?: CloseLimits;
  /** a run that holds back more of the journal than this is sealed as it is; default 4 GiB */
  readonly maxHeldBytes?: number;
  /** milliseconds since the epoch; default the machine's clock */
  readonly now?: () => number;
  /** milliseconds that pass whatever is done to the clock: what is due goes by them */
  readonly elapsed?: () => number;
  readonly log?: Log;
}

export interface Assembler {
  /** Reads the journal from a position on until `stop`. Rejects only for what makes going on senseless. */
  run(from: Position): Promise<void>;
  /** Asks the close policy for every run that is due. Called by `run` each second; tests call it themselves. */
  tick(): void;
  /** How far the journal has been read. */
  handled(): Position;
  /** what it reads, and how far that is no longer needed */
  readonly share: JournalShare;
  /** The records with spans that are not sealed and committed, and the entries with marks that are not stored, as of now. */
  held(): { readonly records: readonly RecordReference[]; readonly marks: readonly Position[] };
  /** Runs that can be read from the journal only and whose ids begin so: at most so many, those opened last. */
  open(tenant: string, prefix: string, most: number): OpenRunView[];
  /** The places of the spans of a run that is open or being sealed; null: it is neither. Several if late spans came. */
  spansOf(tenant: string, run: string): Promise<readonly SpanColumns[] | null>;
  /** Of how many spans it consists now, and the ids of at most `most` behind the first `from` in the order in which they came; null as for `spansOf`. */
  arrived(tenant: string, run: string, from: number, most: number): ArrivedSpans | null;
  /** Marks and removals of a run that are in the journal and not yet stored with a sealed revision of it. */
  pendingMarks(tenant: string, run: string): readonly MarkChange[];
  counts(): { open: number; sealing: number; spans: number };
  /**
   * For the end, when nothing comes any more: reads what the journal holds and hands over what has ended without letting it
   * settle. Waits for that so long at most, and not for the sealing. What comes of it after a restart is a later revision.
   */
  finish(ms: number): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when no run is being sealed any more, whatever came of it. */
  idle(): Promise<void>;
}
