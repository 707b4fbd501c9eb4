import type { JournalPart } from "@reenact/envelope";
import type { RunTrigger } from "./run-start.ts";
import type { AttributeValue, Operation, StepKind } from "../span/dialect.ts";
import type { DraftText, StepDraft } from "../span/draft.ts";

export interface RunFacts {
  /** 32 hex */
  readonly id: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly trigger: RunTrigger;
  readonly name: string;
  /** run that this run replays, or that called it */
  readonly parent: string | null;
  /** sequence number of the run in its process, from 0 */
  readonly sequence: number;
  /** epoch milliseconds with fraction */
  readonly started: number;
}

/** What is known of a step when it starts; redacted, without payload. */
export interface StepFacts {
  readonly run: string;
  readonly step: number;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly kind: StepKind;
  readonly name: string;
  readonly op: string;
  readonly path: string;
  readonly n: number;
  readonly attempt: number;
  readonly under: number | null;
  readonly order: { readonly start: number };
  readonly started: number;
  /** of the run's journal, for the case that the process dies: what came since the step before, its own start included */
  readonly journal?: JournalPart;
}

/** Metadata that the agent adds to its run. Flags and tags are added to those before, the others replace. */
export interface RunMetadata {
  readonly flags?: readonly string[];
  readonly user?: string;
  readonly session?: string;
  readonly tags?: readonly string[];
}

export interface EndedSpan {
  readonly run: string;
  readonly traceId: string;
  readonly spanId: string;
  /** null: the root of its run */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly client: boolean;
  readonly started: number;
  readonly ended: number;
  readonly ok: boolean;
  readonly message: string;
  /** given up before an answer: neither a success nor the other side's failure */
  readonly aborted?: boolean;
  /** in the order in which they are to be set: an SDK keeps the first ones */
  readonly attributes: ReadonlyArray<readonly [string, AttributeValue]>;
  readonly events: ReadonlyArray<{ name: string; time: number; attributes: Record<string, AttributeValue> }>;
  /** the agent's own span that was active when the step began */
  readonly link: { traceId: string; spanId: string } | null;
}

/**
 * Receives redacted events of runs. `begin` and `settle` are called
 * before the agent goes on, so that a killed process has left them behind; they must be a plain append. A step that
 * was kept in the turn of its settle says so itself, and has no `settle`.
 */
export interface Sink {
  started(run: RunFacts): void;
  begin(step: StepFacts): void;
  /** the result was delivered: `position` in the journal, milliseconds since the epoch */
  settle(run: string, step: number, position: number, at: number): void;
  /** a step that is under way, with its request */
  request(draft: StepDraft<DraftText>): void;
  /** value `at`, from 0, of a generator step that is under way, in its redacted typed encoding; after the step's `request` */
  yielded(run: string, step: number, at: number, value: string): void;
  /** a step that has ended; `operation` is what its request was recognised as. Returns whether it was kept */
  step(draft: StepDraft<DraftText>, operation: Operation | null): boolean;
  /** for the case that the process dies: the root repeats it */
  metadata(run: string, metadata: RunMetadata): void;
  /** What a run was asked, for the case that the process dies: the root repeats it. `input`: redacted typed encoding. A later one replaces it. */
  input(run: string, input: string): void;
  /** the root of a run, and steps of which no payload may be kept */
  span(span: EndedSpan): void;
  /**
   * The root of a run as it is when its answer has gone out, for the case that the process dies. `isWhole`: nothing of the run was under
   * way then. Returns whether it was kept.
   */
  answered(span: EndedSpan, isWhole: boolean): boolean;
  /** the run has ended; its root span has been given to `span`, or to `answered` where nothing has changed since */
  over(run: string): void;
}
