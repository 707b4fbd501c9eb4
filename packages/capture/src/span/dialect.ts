import type { Dimensions, JsonNode } from "@reenact/envelope";

export type StepKind =
  | "LLM"
  | "TOOL"
  | "RETRIEVER"
  | "RERANKER"
  | "EMBEDDING"
  | "GUARDRAIL"
  | "INPUT"
  | "DB"
  | "HTTP"
  | "STEP";

export interface RequestHead {
  readonly method: string;
  readonly url: URL;
  /** lower-case names; the content type decides whether a body may be read as JSON */
  readonly headers: ReadonlyMap<string, string>;
  /** the body where it is known at the moment of the call (string or typed array of text), else null */
  readonly body: string | null;
}

/** A tool call that a model's answer asks for. `index` is its place in the answer. */
export interface RequestedToolCall {
  readonly id: string | null;
  readonly name: string;
  /** JSON text as the model wrote it */
  readonly args: string;
  readonly index: number;
}

/** An answer as text: a JSON document, or a whole event stream; empty for other bodies. */
export interface AnswerText {
  readonly status: number;
  readonly mime: string;
  readonly text: string;
  /** length of the body as received, in bytes; absent where only its text is known */
  readonly bytes?: number;
}

export type AttributeValue = string | number | boolean | string[] | number[] | boolean[];

export interface View {
  readonly attributes: Record<string, AttributeValue>;
  readonly model: { asked?: string; answered?: string; fingerprint?: string };
  /** error of the provider's answer body, for the status message; null when the answer is no error */
  readonly error: { type: string; message: string } | null;
}

/** The meaning of one kind of exchange. Pure maps over redacted text; none of them throws. */
export interface Operation {
  /** `provider.operation`, part of the slot */
  readonly op: string;
  readonly kind: StepKind;
  /** whether such a step starts a run: a model ran, or the path is a provider's */
  readonly agentic: boolean;
  /** span name for people: `chat`, `responses`, `messages`, … */
  readonly name: string;
  /** vendor, named by the host: `openai`, `azure`, `groq`, …; `unknown` for other hosts */
  readonly vendor: string;
  /** splits a parsed request into the dimensions that replay compares */
  dimensions(body: JsonNode): Dimensions;
  /** tool calls asked for, in order; called on both sides when the agent gets no more of the answer, which may be cut */
  toolCalls(answer: AnswerText): readonly RequestedToolCall[];
  /** the final message of an event stream, as JSON text, for `output.value`; null when it cannot be assembled */
  assemble(stream: string): string | null;
  /** `request.text` is null for a body that is not text (a form with a file: its fields are then in `fields`) */
  view(request: { url: string; text: string | null }, answer: AnswerText | null): View;
}

/** A provider's wire format. Recognised by path, confirmed by the body, never by the host alone. */
export interface Dialect {
  readonly name: string;
  /** synchronous and cheap: it runs on the agent's path, before the request goes out */
  recognise(request: RequestHead): Operation | null;
}
