import type { Originals } from "../redact/kept.ts";
import type { ChunkCut, RecordedError, RecordedExchange, StepRecord } from "@reenact/envelope";
import type { StepKind } from "./dialect.ts";
import type { RedactedPlace } from "../redact/scrubbed.ts";
import type { CallDraft, ExchangeDraft } from "./step-content.ts";

/** A body after redaction: text, or bytes that are no text. Both null: there is none. */
export interface BodyDraft<Text = string> {
  readonly text: Text | null;
  readonly bytes: Uint8Array | null;
  /** media type without parameters as sent; empty: none */
  readonly mime: string;
}

export interface RequestDraft<Text = string> extends BodyDraft<Text> {
  /** the operation was recognised with the body, which was there when the call was made */
  readonly known: boolean;
}

export interface AnswerDraft<Text = string> extends BodyDraft<Text> {
  readonly cuts: ChunkCut[] | null;
  /** redacted text inside compressed or framed bytes, for people */
  readonly inside: Text | null;
  /** length of the body as received, in bytes */
  readonly length: number;
  /** false: the answer had no body (204, HEAD) */
  readonly body: boolean;
}

/**
 * What a step was, redacted: all that its span is made of, and nothing that can be worked out later. Digests, the view
 * for people and the encoding follow from it, so they need not be made on the agent's thread.
 */
export interface StepDraft<Text = string> {
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
  readonly request: RequestDraft<Text> | null;
  readonly answer: AnswerDraft<Text> | null;
  /** plain JSON of a function's arguments and result */
  readonly input: Text | null;
  readonly output: Text | null;
}

/** A text of a draft that another thread has made: UTF-8. */
export type DraftText = string | Uint8Array;

/** A draft whose long texts another thread has read. */
export interface ReadDraft extends StepDraft<DraftText> {
  /** JSON object, UTF-8: the members of the record that hold texts, `exchange` or `call`; `record` lacks them */
  readonly members: Uint8Array;
}

/** What another thread has made of the texts of a step. */
export interface ReadTexts extends Pick<ReadDraft, "members" | "request" | "answer" | "input" | "output" | "error"> {
  /** what the vault may keep of it, not redacted: never to be written as it is; null: nothing was asked for */
  readonly originals: Originals | null;
  /** the redacted head of the request; null: no exchange */
  readonly head: RecordedExchange["request"] | null;
  readonly lossy: readonly string[];
  /** hits per type; those of the request apart, which may have been read before the step ended */
  readonly counts: Readonly<Record<string, number>>;
  readonly requestCounts: Readonly<Record<string, number>>;
  /** the same by rule and place */
  readonly places: readonly RedactedPlace[];
  readonly requestPlaces: readonly RedactedPlace[];
}

/** The texts of a step as they are, plain data that a thread can be given. */
export interface StepTexts {
  readonly exchange: ExchangeDraft | null;
  readonly call: CallDraft | null;
  readonly error: RecordedError | null;
  readonly lossy: readonly string[];
  /** redacted head of a request that was read before; null: it is to be read */
  readonly head: RecordedExchange["request"] | null;
  /** the step goes on: only its request, or its arguments, is read */
  readonly underWay: boolean;
  /** they are more than the agent's thread may read: no step waits for them, and none that the agent waits for may stand behind them */
  readonly isLong: boolean;
  /** the step's number and span, as its record will have them; null: the texts are those of no step */
  readonly at: { readonly step: number; readonly span: string } | null;
}

/** The parts of a draft that hold its texts. */
export type Part<Text = string> = Pick<StepDraft<Text>, "request" | "answer" | "input" | "output"> & {
  record: Partial<StepRecord>;
};
