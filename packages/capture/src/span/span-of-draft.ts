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
  const end = given.exchange?.end;
  const status = given.exchange?.response?.status ?? 0;
  const ok = draft.error === null && status < 400 && end !== "error" && view.error === null;
  const said = draft.error?.message || view.error?.message;
  const message = said || (status >= 400 ? `HTTP ${status}` : (end ?? "error"));
  return {
    run: draft.run,
    traceId: draft.traceId,
    spanId: draft.spanId,
    parentSpanId: draft.parentSpanId,
    name: draft.name,
    client: kind === "LLM" || kind === "EMBEDDING" || kind === "DB" || kind === "HTTP",
    started: draft.started,
    ended: draft.ended,
    ok,
    message: ok ? "" : message,
    ...(end === "aborted" ? { aborted: true } : {}),
    attributes,
    events: [],
    link: draft.link,
  };
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
  const view =
    operation?.view({ url: head.request.url, text }, answer) ?? httpView(head.request, head.response?.status ?? null);
  return {
    record: { exchange, model: view.model, digests: digestsOf(operation, text, bytes, mime) },
    input: text === null ? null : { value: text, mime: mime || "text/plain" },
    output,
    view,
  };
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
