import type { ChunkCut, RecordedError, StepRecord } from "@reenact/envelope";
import type { StepKind } from "./dialect.ts";

/** A body after redaction: text, or bytes that are no text. Both null: there is none. */
export interface BodyDraft {
  readonly text: string | null;
  readonly bytes: Uint8Array | null;
  /** media type without parameters as sent; empty: none */
  readonly mime: string;
}

export interface RequestDraft extends BodyDraft {
  /** the operation was recognised with the body, which was there when the call was made */
  readonly known: boolean;
}

export interface AnswerDraft extends BodyDraft {
  readonly cuts: ChunkCut[] | null;
  /** redacted text inside compressed bytes, for people */
  readonly inside: string | null;
  /** length of the body as received, in bytes */
  readonly length: number;
  /** false: the answer had no body (204, HEAD) */
  readonly body: boolean;
}

/**
 * What a step was, redacted: all that its span is made of, and nothing that can be worked out later. Digests, the view
 * for people and the encoding follow from it, so they need not be made on the agent's thread.
 */
export interface StepDraft {
  readonly run: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly kind: StepKind;
  readonly name: string;
  /** a provider's package knows this kind of call */
  readonly recognised: boolean;
  /** epoch milliseconds with fraction */
  readonly started: number;
  readonly ended: number;
  /** the agent's own span that was active when the step began */
  readonly link: { readonly traceId: string; readonly spanId: string } | null;
  /** without bodies, digests and model; the step's number is in it */
  readonly record: Partial<StepRecord> & Pick<StepRecord, "step">;
  readonly error: RecordedError | null;
  readonly request: RequestDraft | null;
  readonly answer: AnswerDraft | null;
  /** plain JSON of a function's arguments and result */
  readonly input: string | null;
  readonly output: string | null;
}
