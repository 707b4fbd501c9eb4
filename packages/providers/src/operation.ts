import type { AnswerText, Operation, StepKind, RequestedToolCall, View } from "@reenact/capture";
import { readFailure } from "./failure.ts";
import type { Vendor } from "./provider.ts";
import type { Split } from "./split.ts";
import type { ToolCall } from "./view/message.ts";
import { buildView, type ResponseView, type RequestView } from "./view/view.ts";
import { readEventStream, type StreamEvent } from "./wire/event-stream.ts";
import { readForm } from "./wire/form.ts";
import { object, readJson, writeJson, type JsonObject } from "./wire/json.ts";

/** How the bodies of one operation are read. Total functions: odd input gives a poor view, never an error. */
export interface OperationSpec {
  readonly kind: StepKind;
  /** whether such a step starts a run: a model ran, or was given something */
  readonly agentic: boolean;
  /** `gen_ai.operation.name` */
  readonly task: string;
  readonly dimensions: Split;
  request(body: JsonObject): RequestView;
  /** `answer` as it came, for answers that are no JSON */
  response(body: JsonObject, answer: AnswerText): ResponseView;
  /** the answer that an event stream adds up to */
  joined?(events: readonly StreamEvent[]): JsonObject | null;
  /**
   * Tool calls of an answer; all `signs` are in every answer's text that has any, so that others need not be parsed.
   * The first sign begins with a character that is rare in texts, which lets the regex engine search for it first.
   */
  readonly toolCalls?: { readonly signs: readonly RegExp[]; read(body: JsonObject): readonly ToolCall[] };
}

/** What the address of a request says of its operation. */
export interface Address {
  /** name of the provider: the wire format, `llm.system` */
  readonly system: string;
  /** null for a host that is not known */
  readonly vendor: Vendor | null;
  /** model named by the path */
  readonly model: string | undefined;
  /** the same of another address: a request may be sent for another model than it was made for */
  modelAt(url: string): string | undefined;
}

/** Makes an operation for an address. */
export type CreateOperation = (address: Address) => Operation;

/** The operations of a provider under the names that its targets use. */
export type Operations = Readonly<Record<string, CreateOperation>>;

export function createOperations(specs: Readonly<Record<string, OperationSpec>>): Operations {
  const entries = Object.entries(specs).map(([name, spec]): [string, CreateOperation] => [
    name,
    (address) => createOperation(name, spec, address),
  ]);
  return Object.fromEntries(entries);
}

function createOperation(name: string, spec: OperationSpec, { system, vendor, model, modelAt }: Address): Operation {
  const join = lastJoin(spec);
  const facts = { kind: spec.kind, task: spec.task, system, vendor };
  return {
    op: `${system}.${name}`,
    kind: spec.kind,
    agentic: spec.agentic,
    name,
    vendor: vendor?.openinference ?? "unknown",
    dimensions: (body) => spec.dimensions(body, model),
    toolCalls(answer) {
      const { toolCalls } = spec;
      if (answer.status >= 400 || !toolCalls?.signs.every((sign) => sign.test(answer.text))) return [];
      return numbered(toolCalls.read(answerBody(answer, join)));
    },
    assemble(stream) {
      const whole = join(stream);
      return whole === null ? null : writeJson(whole) || null;
    },
    view(request, answer): View {
      const body = request.text === null ? undefined : (readJson(request.text) ?? readForm(request.text));
      const read: RequestView = body === undefined ? {} : spec.request(object(body));
      const asked = { ...read, model: read.model ?? modelAt(request.url) ?? model };
      if (answer === null) return buildView(facts, asked, {});
      const received = answerBody(answer, join);
      return buildView(facts, asked, {
        ...spec.response(received, answer),
        error: readFailure(answer.status, received),
      });
    },
  };
}

/** Some hosts send a stream under another content type, as one list, or as lines of JSON. */
function answerBody({ mime, text }: AnswerText, join: (stream: string) => JsonObject | null): JsonObject {
  if (/event-?stream|ndjson/i.test(mime) || /^(?:data|event|:|\[)/.test(text)) return join(text) ?? {};
  const whole = readJson(text);
  return whole === undefined && text.startsWith("{") ? (join(text) ?? {}) : object(whole);
}

/** Joining is expensive and callers ask about the same stream more than once, so the last result is kept. */
function lastJoin(spec: OperationSpec): (stream: string) => JsonObject | null {
  let last: { stream: string; whole: JsonObject | null } | null = null;
  return (stream) => {
    if (last?.stream !== stream) last = { stream, whole: spec.joined?.(readEventStream(stream)) ?? null };
    return last.whole;
  };
}

function numbered(calls: readonly ToolCall[]): RequestedToolCall[] {
  return calls.map(({ id, name, args }, index) => ({ id: id ?? null, name, args, index }));
}
