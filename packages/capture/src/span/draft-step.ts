import type { RecordedExchange, StepRecord } from "@reenact/envelope";
import { argsOf, callPart } from "./call-part.ts";
import { deliveredEncoding, requestEncoding } from "../transport/content-coding.ts";
import type {
  AnswerDraft,
  DraftText,
  Part,
  ReadDraft,
  ReadTexts,
  RequestDraft,
  StepDraft,
  StepTexts,
} from "./draft.ts";
import type { Originals } from "../redact/kept.ts";
import { mimeOf } from "../transport/mime.ts";
import { epochNow } from "../patch/originals.ts";
import { forgetReceived, received } from "./received.ts";
import { scrubError } from "../redact/scrub-error.ts";
import { scrubBody, scrubHeaders, scrubMessageHeaders, scrubText, Tally } from "../redact/scrub-exchange.ts";
import { redactedBy } from "../redact/redacted-by.ts";
import { scrubPath } from "../redact/scrub-path.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { RedactedPlace, ScrubHint } from "../redact/scrubbed.ts";
import type { Answer } from "../source/answer.ts";
import type { Step } from "./step.ts";
import type { CallDraft, ExchangeDraft } from "./step-content.ts";
import { scrubOptions } from "../transport/fetch/fetch-options.ts";

/** Fence 0: takes what was seen of an ended step, and redacts all of it. */
export function draftStep(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const tally = new Tally();
  const part =
    step.exchange !== null
      ? wholeExchange(step.exchange, passing(step.answer, scrubber), tally)
      : callPart(step.call, scrubber, tally);
  const error =
    step.error === null ? null : scrubError(step.error, scrubber, tally.in("error"), step.call?.renamed?.error);
  return ended(step, scrubber, part, error, tally, lossyLines(step, scrubber, tally));
}

/** What the vault may keep of a step that another thread has read, not redacted. */
export const readOriginals = new WeakMap<StepDraft<DraftText>, Originals | null>();

/** As `draftStep`, with what another thread has made of the texts. */
export function draftOfRead(step: Step, scrubber: Scrubber, read: ReadTexts): ReadDraft {
  const { members, request, answer, input, output, error, lossy } = read;
  const tally = tallyOf(read);
  const part = { record: {}, request, answer, input, output };
  const draft = { ...ended(step, scrubber, part, error, tally, lossy), members };
  // beside the draft, which is written as it is
  readOriginals.set(draft, read.originals);
  return draft;
}

function tallyOf({ counts, places, requestCounts, requestPlaces }: ReadTexts): Tally {
  const tally = new Tally();
  tally.add(counts, places);
  tally.add(requestCounts, requestPlaces);
  return tally;
}

/** What is the same however the texts were read. */
export function ended(
  step: Step,
  scrubber: Scrubber,
  part: Part<DraftText>,
  error: StepDraft["error"],
  tally: Tally,
  lossy: readonly string[],
): StepDraft<DraftText> {
  if (step.exchange !== null) forget(step.exchange);
  const segment = step.run.journal.cut();
  return whole(step, scrubber, part, error, {
    ...(error === null ? {} : { error }),
    ...(segment.events === "" ? {} : { journal: { lane: "0", from: segment.from, events: segment.events } }),
    redacted: redactedBy(scrubber, tally),
    ...(step.source === null ? {} : { source: step.source }),
    ...(lossy.length === 0 ? {} : { lossy: [...lossy] }),
  });
}

/** What `readElsewhere` answers before it is encoded. */
export interface TextsRead extends Part {
  readonly head: RecordedExchange["request"] | null;
  readonly error: StepDraft["error"];
  readonly lossy: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly requestCounts: Readonly<Record<string, number>>;
  readonly places: readonly RedactedPlace[];
  readonly requestPlaces: readonly RedactedPlace[];
}

/** Redacts the texts of a step: the work of `draftStep` and `draftRequest` without what is known of the step beside them. */
export function readTexts(texts: StepTexts, scrubber: Scrubber): TextsRead {
  const { exchange: x } = texts;
  if (texts.underWay) return x === null ? readCallUnderWay(texts, scrubber) : readExchangeUnderWay(texts, x, scrubber);
  const tally = new Tally();
  const sent = x === null ? null : sentOf(texts, x, scrubber);
  const part =
    x === null || sent === null ? callPart(texts.call, scrubber, tally) : exchangePart(x, sent, scrubber, tally);
  const renamed = texts.call?.renamed?.error;
  const error = texts.error === null ? null : scrubError(texts.error, scrubber, tally.in("error"), renamed);
  const media = new Tally();
  media.add(tally.counts);
  if (sent !== null) media.add(sent.requestCounts);
  const lossy = lossyLines(texts, scrubber, media);
  return { ...part, ...(sent ?? NOTHING_SENT), error, lossy, counts: tally.counts, places: tally.places };
}

type SentTexts = Pick<TextsRead, "head" | "request" | "requestCounts" | "requestPlaces">;

const NOTHING_SENT: SentTexts = { head: null, request: null, requestCounts: {}, requestPlaces: [] };
/** of a step that has not ended */
const NOTHING_YET = { answer: null, input: null, output: null, error: null, lossy: [] } as const;

/** The request of an exchange; where its head was read before, only that. */
function sentOf({ head }: StepTexts, x: ExchangeDraft, scrubber: Scrubber): SentTexts & Pick<Sent, "head"> {
  if (head !== null) return { ...NOTHING_SENT, head };
  const { tally, ...sent } = readRequest(x, scrubber, new Tally());
  return { ...sent, requestCounts: tally.counts, requestPlaces: tally.places };
}

function readCallUnderWay({ call }: StepTexts, scrubber: Scrubber): TextsRead {
  const tally = new Tally();
  const record = call === null ? { call: { args: "" } } : callUnderWay(call, scrubber, tally);
  const { counts, places } = tally;
  return { ...NOTHING_YET, ...NOTHING_SENT, record, counts, places };
}

/** A replay of a killed run serves a generator where the recorded call had returned one. */
function callUnderWay(call: CallDraft, scrubber: Scrubber, tally: Tally): Pick<StepRecord, "call"> {
  const args = argsOf(call, scrubber, tally);
  return { call: { args, ...(call.generator === null ? {} : { generator: call.generator }) } };
}

function readExchangeUnderWay(texts: StepTexts, x: ExchangeDraft, scrubber: Scrubber): TextsRead {
  const sent = sentOf(texts, x, scrubber);
  const record = { exchange: openExchange(x, sent.head) };
  return { ...NOTHING_YET, ...sent, record, counts: {}, places: [] };
}

/** Lets through whole bodies that came out of a record, or are just as there. */
function passing(answer: Answer, scrubber: Scrubber): Scrubber {
  const clean = answer.from === "exchange" ? answer.clean : undefined;
  if (clean === undefined) return scrubber;
  return {
    policy: scrubber.policy,
    rules: scrubber.rules,
    kid: scrubber.kid,
    addKnown: () => {},
    scrub: (text, hint) =>
      hint?.mime !== undefined && clean.includes(text) ? { text, edits: [], counts: {} } : scrubber.scrub(text, hint),
  };
}

/** A draft may be held for long after its step has ended. */
function forget(x: ExchangeDraft): void {
  forgetReceived(x);
  sent.delete(x);
}

/** Shows every text of a step that `real` would read to a scrubber whose answers are not used. */
export function showTexts(step: Step, real: Scrubber, scrubber: Scrubber): void {
  const tally = new Tally();
  if (step.exchange !== null)
    exchangePart(
      step.exchange,
      knownRequest(step.exchange, real) ?? readRequest(step.exchange, scrubber, tally),
      scrubber,
      tally,
    );
  else callPart(step.call, scrubber, tally);
  placeOf(step, scrubber);
  lossyLines(step, scrubber, tally);
  if (step.error !== null) scrubError(step.error, scrubber, tally.in("error"), step.call?.renamed?.error);
}

/** A symbol's text is the agent's, and may stand under a secret name that the line does not show. */
const SYMBOL = /: symbol [^]* could not(?= be encoded$)/;

/** Lines that name members and messages of the agent's; media that a policy left out is missing in a replay. */
export function lossyLines(
  { lossy }: { readonly lossy: readonly string[] },
  scrubber: Scrubber,
  { counts }: Tally,
): string[] {
  const lines = lossy.map((line) => scrubber.scrub(line.replace(SYMBOL, ": symbol could not")).text);
  if (counts["MEDIA"] !== undefined) lines.push("media: left out by the redaction policy");
  return lines;
}

/** What is known of a step when its request has gone out; the step goes on. */
export function draftRequest(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const tally = new Tally();
  const part = { request: null, answer: null, input: null, output: null };
  if (step.call !== null) {
    const record = callUnderWay(step.call, scrubber, tally);
    return whole(step, scrubber, { ...part, record }, null, { redacted: redactedBy(scrubber, tally) });
  }
  if (step.exchange === null) return whole(step, scrubber, { ...part, record: {} }, null, {});
  const { head, request } = requestPart(step.exchange, scrubber, tally);
  const exchange = openExchange(step.exchange, head);
  return whole(step, scrubber, { ...part, request, record: { exchange } }, null, {
    redacted: redactedBy(scrubber, tally),
  });
}

/** What is known of a step that goes on: also what the agent has of its answer so far. */
export function draftSoFar(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const tally = new Tally();
  const { exchange, call } = step;
  const part = exchange === null ? callPart(call, scrubber, tally) : wholeExchange(exchange, scrubber, tally);
  return whole(step, scrubber, part, null, { redacted: redactedBy(scrubber, tally) });
}

/** As `draftRequest`, with what another thread has made of the texts. */
export function draftOfReadRequest(step: Step, scrubber: Scrubber, read: ReadTexts): ReadDraft {
  const { members, request } = read;
  const part = { record: {}, request, answer: null, input: null, output: null };
  return { ...whole(step, scrubber, part, null, { redacted: redactedBy(scrubber, tallyOf(read)) }), members };
}

function openExchange({ via }: ExchangeDraft, request: RecordedExchange["request"]): RecordedExchange {
  return { via, request, end: "open" };
}

function whole(
  step: Step,
  scrubber: Scrubber,
  { record, ...texts }: Part<DraftText>,
  error: StepDraft["error"],
  behind: Partial<StepRecord>,
): StepDraft<DraftText> {
  const { op, path, name } = placeOf(step, scrubber);
  return {
    run: step.run.id,
    traceId: step.run.traceId,
    spanId: step.spanId,
    parentSpanId: step.parentSpanId,
    kind: step.kind,
    name,
    recognised: step.operation !== null,
    started: step.started,
    ended: step.ended ?? epochNow(),
    link: step.link,
    record: {
      v: 1,
      op,
      path,
      n: step.n,
      attempt: step.attempt,
      step: step.index,
      under: step.under,
      ...(step.asked === null ? {} : { asked: step.asked }),
      order: { start: step.startPosition, ...(step.settlePosition === null ? {} : { settle: step.settlePosition }) },
      ...record,
      ...behind,
    },
    error,
    ...texts,
  };
}

/** Names that the agent chose (tools, branches, inputs) are its text too. */
export function placeOf(
  step: Step,
  scrubber: Scrubber,
  hint?: Pick<ScrubHint, "waits">,
): { op: string; path: string; name: string } {
  const clean = (text: string): string => scrubber.scrub(text, hint).text;
  return { op: clean(step.op), path: scrubPath(scrubber, step.path, hint), name: clean(step.name) };
}

export interface Sent<Text = DraftText> {
  readonly head: RecordedExchange["request"];
  readonly request: RequestDraft<Text>;
  readonly tally: Tally;
}

/** What requests came to when they went out. When their steps end they come to the same, if nothing is new. */
const sent = new WeakMap<ExchangeDraft, Sent & { headers: unknown; body: unknown; by: Scrubber; version: number }>();

function requestPart(x: ExchangeDraft, scrubber: Scrubber, tally: Tally): Sent {
  const before = knownRequest(x, scrubber);
  const part = before ?? readRequest(x, scrubber, new Tally());
  tally.add(part.tally.counts, part.tally.places);
  if (before === null) keepRequest(x, scrubber, part);
  return part;
}

export function keepRequest(x: ExchangeDraft, by: Scrubber, part: Sent): void {
  const { version } = by;
  if (version !== undefined) sent.set(x, { ...part, headers: x.requestHeaders, body: x.requestBody, by, version });
}

/** What a request came to before, if nothing is new. */
export function knownRequest(x: ExchangeDraft, by: Scrubber): Sent | null {
  const before = sent.get(x);
  const isSame =
    before?.headers === x.requestHeaders &&
    before.body === x.requestBody &&
    before.by === by &&
    before.version === by.version;
  return isSame ? before : null;
}

export function readRequest(x: ExchangeDraft, scrubber: Scrubber, tally: Tally): Sent<string> {
  const url = scrubText(scrubber, x.url, tally.in("request", "url"), { key: "url" });
  const inBody = tally.in("request", "body");
  const mime = mimeOf(x.requestHeaders);
  const { requestBody: body, bodyKnown: known, method } = x;
  const headOf = (isChanged: boolean): RecordedExchange["request"] => ({
    method,
    url,
    headers: scrubMessageHeaders(scrubber, x.requestHeaders, isChanged, tally.in("request", "headers")),
    ...(x.requestCut !== undefined && { cut: x.requestCut }),
    ...(x.redirect === undefined ? {} : { redirect: x.redirect }),
    ...(x.options === undefined ? {} : { options: scrubOptions(scrubber, x.options, tally.in("request", "options")) }),
  });
  const encoding = requestEncoding(x.requestHeaders);
  if (typeof body === "string" && encoding === null) {
    const text = scrubText(scrubber, body.toWellFormed(), inBody, { mime });
    return { head: headOf(text !== body), request: { text, bytes: null, mime, known }, tally };
  }
  if (!body) return { head: headOf(false), request: { text: null, bytes: null, mime, known }, tally };
  const sent = typeof body === "string" ? Buffer.from(body) : body;
  const { text, bytes, changed } = scrubBody(scrubber, sent, mime, encoding, null, inBody);
  return { head: headOf(changed), request: { text, bytes, mime, known }, tally };
}

function wholeExchange(x: ExchangeDraft, scrubber: Scrubber, tally: Tally): Part<DraftText> {
  const sent = requestPart(x, scrubber, tally);
  return { ...exchangePart(x, sent, scrubber, tally), request: sent.request };
}

export function exchangePart(x: ExchangeDraft, { head }: Pick<Sent, "head">, scrubber: Scrubber, tally: Tally): Part {
  const exchange: RecordedExchange = { via: x.via, request: head, end: x.end ?? "open" };
  let answer: AnswerDraft | null = null;
  if (x.response !== null) {
    const { status, reason, headers, url, redirected, type, hasBody, trailers } = x.response;
    const inResponse = tally.in("response");
    const mime = mimeOf(headers);
    const body = hasBody ? answerBody(x, scrubber, inResponse.in("body"), mime) : null;
    exchange.response = {
      status,
      reason: scrubText(scrubber, reason, inResponse.in("reason"), {}),
      headers: scrubMessageHeaders(scrubber, headers, body?.changed === true, inResponse.in("headers")),
      url: scrubText(scrubber, url, inResponse.in("url"), { key: "url" }),
      redirected,
      type,
      ...(trailers === undefined ? {} : { trailers: scrubHeaders(scrubber, trailers, inResponse.in("trailers")) }),
    };
    const none = { text: null, bytes: null, mime, cuts: null, inside: null, length: 0, body: hasBody };
    answer = body === null ? none : { ...none, ...body.draft };
  }
  if (x.error !== null) exchange.error = scrubError(x.error, scrubber, tally.in("exchange", "error"));
  return { record: { exchange }, request: null, answer, input: null, output: null };
}

function answerBody(
  x: ExchangeDraft,
  scrubber: Scrubber,
  tally: Tally,
  mime: string,
): { draft: Partial<AnswerDraft>; changed: boolean } {
  const { bytes, text } = received(x);
  const encoding = deliveredEncoding(x.via, x.response?.headers ?? []);
  const body = scrubBody(scrubber, bytes, mime, encoding, x.cuts, tally, text);
  const { text: out, cuts, changed } = body;
  return { draft: { text: out, bytes: body.bytes, cuts, inside: body.inside ?? null, length: bytes.length }, changed };
}
