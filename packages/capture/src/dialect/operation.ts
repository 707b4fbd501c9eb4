import type { AnswerText, Operation, StepKind, ToolAsk, View } from "../dialect.ts";
import type { Dimensions, JsonNode } from "@reenact/envelope";
import { readEventStream, type StreamEvent } from "./event-stream.ts";
import { object, readJson, writeJson, type JsonObject } from "./json.ts";
import type { ToolCall } from "./message.ts";
import { buildView, type Answered, type Asked, type Provider } from "./view.ts";

/** How the bodies of one kind of exchange are read. Total functions: odd input gives a poor view, never an error. */
export interface Reading {
  readonly op: string;
  readonly kind: StepKind;
  readonly agentic: boolean;
  readonly name: string;
  /** `gen_ai.operation.name` */
  readonly task: string;
  /** `model`: named by the path, for a body without one */
  dimensions(body: JsonNode, model: string | undefined): Dimensions;
  asked(body: JsonObject): Asked;
  /** `answer` as it came, for answers that are no JSON */
  answered(body: JsonObject, answer: AnswerText): Answered;
  /** the answer that an event stream adds up to */
  joined?(events: readonly StreamEvent[]): JsonObject | null;
  /**
   * Tool calls of an answer; all `signs` are in every answer's text that has any, so that others need not be parsed.
   * The first begins with a character that is rare in texts: an engine skips to it much faster.
   */
  readonly asks?: { readonly signs: readonly RegExp[]; read(body: JsonObject): readonly ToolCall[] };
}

/** What the request's address and the wire format say of an operation. */
export interface Wire {
  /** `llm.system` */
  readonly system: string;
  readonly provider: Provider | null;
  /** model named by the path */
  readonly model?: string | undefined;
  /** fields of a request body that is no JSON */
  form?(text: string): JsonObject;
  failure(status: number, body: JsonObject): View["error"];
}

export function createOperation(reading: Reading, wire: Wire): Operation {
  const join = lastJoin(reading);
  const facts = { kind: reading.kind, task: reading.task, system: wire.system, provider: wire.provider };
  return {
    op: reading.op,
    kind: reading.kind,
    agentic: reading.agentic,
    name: reading.name,
    vendor: wire.provider?.openinference ?? "unknown",
    dimensions: (body) => reading.dimensions(body, wire.model),
    toolAsks(answer) {
      const { asks } = reading;
      if (answer.status >= 400 || asks === undefined || !asks.signs.every((sign) => sign.test(answer.text))) return [];
      return numbered(asks.read(answerBody(answer, join)));
    },
    assemble(stream) {
      const whole = join(stream);
      return whole === null ? null : writeJson(whole) || null;
    },
    view(request, answer): View {
      const body = request.text === null ? undefined : (readJson(request.text) ?? wire.form?.(request.text));
      const said: Asked = body === undefined ? {} : reading.asked(object(body));
      const asked = { ...said, model: said.model ?? wire.model };
      if (answer === null) return buildView(facts, asked, {});
      const answered = answerBody(answer, join);
      return buildView(facts, asked, {
        ...reading.answered(answered, answer),
        error: wire.failure(answer.status, answered),
      });
    },
  };
}

/** Some hosts send a stream under another content type. */
function answerBody(answer: AnswerText, join: (stream: string) => JsonObject | null): JsonObject {
  const streamed = /event-stream/i.test(answer.mime) || /^(?:data|event|:)/.test(answer.text);
  return streamed ? (join(answer.text) ?? {}) : object(readJson(answer.text));
}

/** Joining is the dear part and the same stream is asked about more than once, so the last one is kept. */
function lastJoin(reading: Reading): (stream: string) => JsonObject | null {
  let last: { stream: string; whole: JsonObject | null } | null = null;
  return (stream) => {
    if (last?.stream !== stream) last = { stream, whole: reading.joined?.(readEventStream(stream)) ?? null };
    return last.whole;
  };
}

function numbered(calls: readonly ToolCall[]): ToolAsk[] {
  return calls.map(({ id, name, args }, index) => ({ id: id ?? null, name, args, index }));
}
