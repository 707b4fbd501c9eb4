import type { RecordedBody, RecordedExchange, StepRecord } from "@reenact/envelope";
import { type AttributeList, groupOne } from "./attributes.ts";
import type { AnswerText, Operation, View } from "./dialect.ts";
import { digestsOf } from "./digests-of.ts";
import type { AnswerDraft, StepDraft } from "./draft.ts";
import { isEventStream } from "../transport/mime.ts";
import type { EndedSpan } from "../run/sink.ts";
import { callView, httpView } from "./view.ts";

interface Value {
  value: string;
  mime: string;
}

interface Finished {
  record: Partial<StepRecord>;
  input: Value | null;
  output: Value | null;
  view: View;
}

/**
 * Makes the span of a redacted step: digests, view and attributes. Pure, and not for the agent's thread where that can
 * be helped. `operation` is what the request was recognised as; null: nothing that a provider's package knows.
 */
export function spanOfDraft(draft: StepDraft, operation: Operation | null): EndedSpan {
  const { record: given, kind } = draft;
  const { error: _, journal, redacted, source, lossy, ...head } = given;
  const finished = given.exchange === undefined ? ofCall(draft) : ofExchange(draft, given.exchange, operation);
  const record = JSON.stringify({
    ...head,
    ...finished.record,
    ...(draft.error === null ? {} : { error: draft.error }),
    ...defined({ journal, redacted, source, lossy }),
  });
  const { input, output, view } = finished;
  const attributes: AttributeList = groupOne(draft.run, kind, record, input, output);
  for (const [key, value] of Object.entries(view.attributes)) attributes.push([key, value]);
  const failure = failureOf(draft, view);
  return {
    run: draft.run,
    traceId: draft.traceId,
    spanId: draft.spanId,
    parentSpanId: draft.parentSpanId,
    name: draft.name,
    client: CLIENT_KINDS.has(kind),
    started: draft.started,
    ended: draft.ended,
    ok: failure === null,
    message: failure ?? "",
    ...(given.exchange?.end === "aborted" ? { aborted: true } : {}),
    attributes,
    events: [],
    link: draft.link,
  };
}

/** Steps that call something outside the process. */
const CLIENT_KINDS: ReadonlySet<string> = new Set(["LLM", "EMBEDDING", "DB", "HTTP"]);

/** The message of a step that has failed; null: it has not. */
function failureOf({ error, record: { exchange } }: StepDraft, view: View): string | null {
  const { response, end } = exchange ?? {};
  const status = response?.status ?? 0;
  const thrown = error ?? view.error;
  if (thrown === null && status < 400 && end !== "error") return null;
  return error?.message || view.error?.message || (status >= 400 ? `HTTP ${status}` : (end ?? "error"));
}

function defined(members: Partial<StepRecord>): Partial<StepRecord> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function ofCall(draft: StepDraft): Finished {
  const json = (value: string | null): Value | null => (value === null ? null : { value, mime: "application/json" });
  return { record: {}, input: json(draft.input), output: json(draft.output), view: callView(draft) };
}

function ofExchange(draft: StepDraft, head: RecordedExchange, operation: Operation | null): Finished {
  const { text = null, bytes = null, mime = "" } = draft.request ?? {};
  const exchange: RecordedExchange = { ...head };
  if (text !== null) exchange.request = { ...head.request, body: { $: "input.value" } };
  else if (bytes !== null) exchange.request = { ...head.request, body: { base64: base64(bytes) } };
  let output: Value | null = null;
  let answer: AnswerText | null = null;
  if (head.response !== undefined && draft.answer !== null) {
    const a = draft.answer;
    const read = readAnswer(a, head.response.status, operation);
    if (a.body) exchange.response = { ...head.response, body: read.body };
    ({ output, answer } = read);
  }
  const view = viewOf(head, text, answer, operation);
  return {
    record: { exchange, model: view.model, digests: digestsOf(operation, text, bytes, mime) },
    input: text === null ? null : { value: text, mime: mime || "text/plain" },
    output,
    view,
  };
}

function viewOf(
  { request, response }: RecordedExchange,
  text: string | null,
  answer: AnswerText | null,
  operation: Operation | null,
): View {
  return operation?.view({ url: request.url, text }, answer) ?? httpView(request, response?.status ?? null);
}

function readAnswer(
  a: AnswerDraft,
  status: number,
  operation: Operation | null,
): { body: RecordedBody; output: Value | null; answer: AnswerText } {
  const cuts = a.cuts === null ? {} : { cuts: a.cuts };
  const shown = a.text ?? a.inside;
  const streamed = isEventStream(a.mime);
  const body: RecordedBody =
    a.text === null
      ? { base64: base64(a.bytes ?? new Uint8Array()), ...cuts }
      : streamed
        ? { text: a.text, ...cuts }
        : { $: "output.value", ...cuts };
  const assembled = shown === null || !streamed ? null : (operation?.assemble(shown) ?? null);
  const output =
    assembled !== null
      ? { value: assembled, mime: "application/json" }
      : shown !== null && !streamed
        ? { value: shown, mime: a.mime || "text/plain" }
        : null;
  return { body, output, answer: { status, mime: a.mime, text: shown ?? "", bytes: a.length } };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
