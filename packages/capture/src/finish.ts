import {
  type Dimensions,
  digestRequest,
  parseJson,
  type RecordedBody,
  type RecordedExchange,
  type RequestDigests,
  type StepRecord,
} from "@reenact/envelope";
import { type AttributeList, groupOne } from "./attributes.ts";
import type { AnswerText, View } from "./dialect.ts";
import { deliveredEncoding } from "./content-coding.ts";
import { isEventStream, mimeOf } from "./mime.ts";
import { scrubBody, scrubHeaders, scrubText, Tally } from "./scrub-exchange.ts";
import { scrubTyped } from "./scrub-typed.ts";
import type { Scrubber } from "./scrubber.ts";
import type { EndedSpan } from "./sink.ts";
import { epochNow } from "./originals.ts";
import type { ExchangeDraft, Step } from "./step.ts";
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

/** Turns what was seen of a step into its span: scrubs first, then digests, views and encodes what is left. */
export function finishStep(step: Step, scrubber: Scrubber): EndedSpan {
  const tally = new Tally();
  const finished =
    step.exchange !== null ? finishExchange(step, step.exchange, scrubber, tally) : finishCall(step, scrubber, tally);
  const error = step.error === null ? null : scrubbedError(step, scrubber, tally);
  const segment = step.run.journal.cut();
  const record: Record<string, unknown> = {
    ...head(step, scrubber),
    ...finished.record,
    ...(error === null ? {} : { error }),
    ...(segment.events === "" ? {} : { journal: { lane: "0", from: segment.from, events: segment.events } }),
    redacted: { policy: scrubber.policy, rules: scrubber.rules, kid: scrubber.kid, counts: tally.counts },
    ...(step.source === null ? {} : { source: step.source }),
    ...(step.lossy.length === 0 ? {} : { lossy: step.lossy }),
  };
  const attributes: AttributeList = groupOne(
    step.run.id,
    step.kind,
    JSON.stringify(record),
    finished.input,
    finished.output,
  );
  for (const [key, value] of Object.entries(finished.view.attributes)) attributes.push([key, value]);
  const failure = error?.message ?? finished.view.error?.message ?? null;
  const status = step.exchange?.response?.status ?? 0;
  const ok = step.error === null && status < 400 && step.exchange?.end !== "error" && finished.view.error === null;
  const message = failure ?? (status >= 400 ? `HTTP ${status}` : (step.exchange?.end ?? "error"));
  return { ...spanOf(step, attributes, ok, ok ? "" : message), name: placeOf(step, scrubber).name };
}

/** A span without payload: no redaction policy is loaded. */
export function bareSpan(step: Step): EndedSpan {
  const status = step.exchange?.response?.status ?? 0;
  const ok = step.error === null && status < 400 && step.exchange?.end !== "error";
  return spanOf(
    step,
    groupOne(step.run.id, step.kind, null, null, null),
    ok,
    ok ? "" : status >= 400 ? `HTTP ${status}` : "error",
  );
}

function spanOf(step: Step, attributes: AttributeList, ok: boolean, message: string): EndedSpan {
  return {
    run: step.run.id,
    traceId: step.run.traceId,
    spanId: step.spanId,
    parentSpanId: step.parentSpanId,
    name: step.kind,
    client: step.kind === "LLM" || step.kind === "EMBEDDING" || step.kind === "DB" || step.kind === "HTTP",
    started: step.started,
    ended: step.ended ?? epochNow(),
    ok,
    message,
    ...(step.exchange?.end === "aborted" ? { aborted: true } : {}),
    attributes,
    events: [],
    link: step.link,
  };
}

/** The part of the record that is known when the request has gone out. */
export function partialRecord(step: Step, scrubber: Scrubber): string {
  const tally = new Tally();
  if (step.call !== null)
    return JSON.stringify({ ...head(step, scrubber), call: { args: scrubTyped(scrubber, step.call.args, tally) } });
  if (step.exchange === null) return JSON.stringify(head(step, scrubber));
  const { request } = requestOf(step, step.exchange, scrubber, tally);
  const redacted = { policy: scrubber.policy, rules: scrubber.rules, kid: scrubber.kid, counts: tally.counts };
  return JSON.stringify({
    ...head(step, scrubber),
    exchange: { via: step.exchange.via, request, end: "open" },
    redacted,
  });
}

function head(step: Step, scrubber: Scrubber): Partial<StepRecord> {
  const { op, path } = placeOf(step, scrubber);
  return {
    v: 1,
    op,
    path,
    n: step.n,
    attempt: step.attempt,
    step: step.index,
    under: step.under,
    ...(step.asked === null ? {} : { asked: step.asked }),
    order: { start: step.startPosition, ...(step.settlePosition === null ? {} : { settle: step.settlePosition }) },
  };
}

/** Names that the agent chose (tools, branches, inputs) are its text too. */
export function placeOf(step: Step, scrubber: Scrubber): { op: string; path: string; name: string } {
  const clean = (text: string): string => scrubber.scrub(text).text;
  return { op: clean(step.op), path: clean(step.path), name: clean(step.name) };
}

function scrubbedError(step: Step, scrubber: Scrubber, tally: Tally): NonNullable<Step["error"]> {
  const text = scrubText(scrubber, JSON.stringify(step.error), tally, { mime: "application/json" });
  return JSON.parse(text) as NonNullable<Step["error"]>;
}

interface RequestPart {
  request: RecordedExchange["request"];
  text: string | null;
  bytes: Uint8Array | null;
  mime: string;
  url: string;
}

/** `inline` puts the body into the record itself: the span that would carry `input.value` is not there yet. */
function requestOf(step: Step, x: ExchangeDraft, scrubber: Scrubber, tally: Tally, inline = true): RequestPart {
  const headers = scrubHeaders(scrubber, x.requestHeaders, tally);
  const url = scrubText(scrubber, x.url, tally, { key: "url" });
  const mime = mimeOf(x.requestHeaders);
  let text: string | null = null;
  let bytes: Uint8Array | null = null;
  if (typeof x.requestBody === "string") text = scrubText(scrubber, x.requestBody.toWellFormed(), tally, { mime });
  else if (x.requestBody) ({ text, bytes } = scrubBody(scrubber, x.requestBody, mime, null, null, tally));
  const body: RecordedBody | undefined =
    text !== null
      ? inline
        ? { text }
        : { $: "input.value" }
      : bytes !== null
        ? { base64: Buffer.from(bytes).toString("base64") }
        : undefined;
  return {
    request: { method: x.method, url, headers, ...(body === undefined ? {} : { body }) },
    text,
    bytes,
    mime,
    url,
  };
}

function finishExchange(step: Step, x: ExchangeDraft, scrubber: Scrubber, tally: Tally): Finished {
  const { request, text, bytes, mime, url } = requestOf(step, x, scrubber, tally, false);
  const input = text === null ? null : { value: text, mime: mime || "text/plain" };
  const digests = digestsOf(step, text, bytes, mime);
  let response: RecordedExchange["response"];
  let output: Value | null = null;
  let answer: AnswerText | null = null;
  if (x.response !== null) {
    const r = x.response;
    const answerMime = mimeOf(r.headers);
    response = {
      status: r.status,
      reason: r.reason,
      headers: scrubHeaders(scrubber, r.headers, tally),
      url: scrubText(scrubber, r.url, tally, { key: "url" }),
      redirected: r.redirected,
      type: r.type,
    };
    if (r.hasBody) {
      const body = scrubBody(
        scrubber,
        Buffer.concat(x.chunks),
        answerMime,
        deliveredEncoding(x.via, r.headers),
        x.cuts,
        tally,
      );
      const cuts = body.cuts === null ? {} : { cuts: body.cuts };
      const shown = body.text ?? body.inside ?? null;
      const streamed = isEventStream(answerMime);
      if (body.text === null) response.body = { base64: Buffer.from(body.bytes ?? []).toString("base64"), ...cuts };
      else response.body = streamed ? { text: body.text, ...cuts } : { $: "output.value", ...cuts };
      const assembled = shown === null || !streamed ? null : (step.operation?.assemble(shown) ?? null);
      if (assembled !== null) output = { value: assembled, mime: "application/json" };
      else if (shown !== null && !streamed) output = { value: shown, mime: answerMime || "text/plain" };
      answer = {
        status: r.status,
        mime: answerMime,
        text: shown ?? "",
        bytes: x.chunks.reduce((sum, c) => sum + c.length, 0),
      };
    } else answer = { status: r.status, mime: answerMime, text: "", bytes: 0 };
  }
  const view = step.operation?.view({ url, text }, answer) ?? httpView(request, x.response?.status ?? null);
  const exchange: RecordedExchange = {
    via: x.via,
    request,
    ...(response === undefined ? {} : { response }),
    end: x.end ?? "open",
  };
  if (x.error !== null)
    exchange.error = JSON.parse(scrubText(scrubber, JSON.stringify(x.error), tally, { mime: "application/json" }));
  return { record: { exchange, model: view.model, digests }, input, output, view };
}

/** Digests of a request whose text has been scrubbed: the same function serves replay. */
export function digestsOf(
  step: { operation: Step["operation"] },
  text: string | null,
  bytes: Uint8Array | null,
  mime: string,
): RequestDigests {
  let dimensions: Dimensions | null = null;
  if (text !== null && step.operation !== null) {
    try {
      dimensions = step.operation.dimensions(parseJson(text));
    } catch {
      dimensions = null; // not JSON: the body as a whole is compared
    }
  }
  return digestRequest(text !== null ? { text, mime } : bytes !== null ? { bytes, mime } : null, dimensions);
}

function finishCall(step: Step, scrubber: Scrubber, tally: Tally): Finished {
  const c = step.call;
  if (c === null) return { record: {}, input: null, output: null, view: { attributes: {}, model: {}, error: null } };
  const typed = (text: string): string => scrubTyped(scrubber, text, tally);
  const plain = (text: string | null): Value | null =>
    text === null
      ? null
      : { value: scrubText(scrubber, text, new Tally(), { mime: "application/json" }), mime: "application/json" };
  const call = {
    args: typed(c.args),
    ...(c.result === null ? {} : { result: typed(c.result) }),
    ...(c.error === null ? {} : { error: typed(c.error) }),
    ...(c.sync ? { sync: true } : {}),
    ...(c.same === null ? {} : { same: c.same }),
    ...(c.yields === null ? {} : { yields: c.yields.map(typed) }),
    ...(c.generator === null ? {} : { generator: c.generator }),
  };
  const input = plain(c.input);
  return { record: { call }, input, output: plain(c.output), view: callView(step, input?.value ?? null) };
}
