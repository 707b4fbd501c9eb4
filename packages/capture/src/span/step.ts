import type { RecordedError } from "@reenact/envelope";
import type { BoundedJournal } from "../run/bounded-journal.ts";
import type { Answer } from "../source/answer.ts";
import type { Operation, StepKind } from "./dialect.ts";
import type { CallDraft, ExchangeDraft } from "./step-content.ts";

/** The part of a run that the record of a step needs. */
export interface StepRun {
  readonly id: string;
  readonly traceId: string;
  readonly journal: BoundedJournal;
}

/** One recorded boundary crossing. Opened synchronously when the call is made; ended exactly once. */
export interface Step {
  readonly run: StepRun;
  /** number in its run, by creation; the source renumbers a replayed step to its recorded number */
  index: number;
  readonly kind: StepKind;
  readonly name: string;
  readonly op: string;
  readonly path: string;
  readonly n: number;
  readonly attempt: number;
  readonly under: number | null;
  readonly asked: boolean | null;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly started: number;
  startPosition: number;
  settlePosition: number | null;
  ended: number | null;
  answer: Answer;
  readonly operation: Operation | null;
  exchange: ExchangeDraft | null;
  call: CallDraft | null;
  error: RecordedError | null;
  readonly lossy: string[];
  /** digest of a tool's source text */
  readonly source: string | null;
  /** milliseconds without activity after which a run that has answered waits for it no longer; absent: until it has ended */
  readonly idleMs?: () => number;
  /** why nothing can send it from a replay; absent: its transport can */
  readonly unsendable?: string;
  link: { traceId: string; spanId: string } | null;
  state: "open" | "settled" | "ended";
}
