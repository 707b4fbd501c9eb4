import { findTokens, type RecordedBody } from "@reenact/envelope";
import { exchangePart, callPart, readRequest } from "./draft-step.ts";
import type { AnswerDraft, StepDraft } from "./draft.ts";
import { guarded } from "./guard.ts";
import { deliveredEncoding } from "./content-coding.ts";
import { mimeOf } from "./mime.ts";
import { received, forgetReceived } from "./received.ts";
import { recorder } from "./recorder.ts";
import { Tally } from "./scrub-exchange.ts";
import { scrubTyped } from "./scrub-typed.ts";
import type { Scrubber } from "./scrubber.ts";
import type { ExchangeDraft, Step } from "./step.ts";
import { streamTokenValues, tokenValues } from "./token-values.ts";
import type { KeptResponse, KeptStep, TokenValues, Vault } from "./vault.ts";

/** A text above this is read by another thread first. UTF-16 units or bytes */
const LARGE = 64 * 1024;
const WAIT_MS = 30_000;
/** Typed encoding of nothing: the arguments are not read again where only the answer is wanted. */
const NOTHING = "-1";

/**
 * Keeps what redaction has replaced in a step: its answers as the program got them, and the values of the tokens in its
 * request. Called with the redacted step before that is written. Nothing is done where nothing was replaced that may be
 * kept.
 */
export function keepOriginals(step: Step, draft: StepDraft): void {
  guarded("vault", undefined, () => {
    const { vault } = recorder;
    const counts = Object.keys(draft.record.redacted?.counts ?? {});
    if (vault === null || !counts.some((type) => vault.keeps(type)) || !vault.takes(draft.run)) return;
    vault.after(draft.run, prepared(step, draft, vault), () => keep(step, draft, vault));
  });
}

/** Keeps the input of an `agent()` call. */
export function keepInput(run: string, input: string | null | undefined, scrubber: Scrubber): void {
  guarded("vault", undefined, () => {
    const { vault } = recorder;
    if (input === null || input === undefined || vault?.takes(run) !== true) return;
    const tally = new Tally();
    const redacted = scrubTyped(scrubber, input, tally);
    if (!Object.keys(tally.counts).some((type) => vault.keeps(type))) return;
    const mime = "application/json";
    const wait = input.length <= LARGE ? null : (vault.scrubber.prepare?.(input, { mime }, WAIT_MS) ?? null);
    vault.after(run, wait, () => {
      const kept = scrubTyped(vault.scrubber, input, new Tally());
      if (mayBeKept(redacted, kept, vault)) vault.root(run, { input: kept }, tokenValues(redacted, kept, vault.keeps));
    });
  });
}

function keep(step: Step, draft: StepDraft, vault: Vault): void {
  const kept = step.exchange !== null ? keptExchange(step.exchange, draft, vault) : keptCall(step, draft, vault);
  const values = { ...answerValues(kept, draft, vault), ...requestValues(step, draft, vault) };
  if (Object.keys(kept).length === 0 && Object.keys(values).length === 0) return;
  vault.step(draft.run, { step: draft.record.step, span: draft.spanId, ...kept }, values);
}

/** Null: no text is long enough to be worth handing to another thread. */
function prepared({ exchange, call }: Step, draft: StepDraft, { scrubber }: Vault): Promise<void> | null {
  const waits: Promise<void>[] = [];
  const show = (text: string | null | undefined, mime: string): void => {
    if (text === null || text === undefined || text.length <= LARGE) return;
    const wait = scrubber.prepare?.(text, { mime }, WAIT_MS);
    if (wait) waits.push(wait);
  };
  if (exchange?.response && draft.answer !== null && draft.answer.length > LARGE) {
    const encoding = deliveredEncoding(exchange.via, exchange.response.headers);
    if (encoding === null || encoding === "identity") show(received(exchange).text, draft.answer.mime);
    forgetReceived(exchange);
  }
  if (typeof exchange?.requestBody === "string") show(exchange.requestBody, mimeOf(exchange.requestHeaders));
  for (const text of [call?.args, call?.result, call?.error, ...(call?.yields ?? [])]) show(text, "application/json");
  return waits.length === 0 ? null : Promise.all(waits).then(() => {});
}

type Kept = Omit<KeptStep, "step" | "span">;

function keptCall(step: Step, draft: StepDraft, vault: Vault): Kept {
  const redacted = draft.record.call;
  if (step.call === null || redacted === undefined) return {};
  const call = { ...step.call, args: NOTHING, input: null, output: null };
  const again = callPart({ ...step, call }, vault.scrubber, new Tally()).record.call;
  const isKept = (one: string | undefined, other: string | undefined): other is string =>
    one !== undefined && other !== undefined && mayBeKept(one, other, vault);
  const yields = (again?.yields ?? []).map((text, n) => {
    const one = redacted.yields?.[n] ?? NOTHING;
    return isKept(one, text) ? text : one;
  });
  return {
    ...(isKept(redacted.result, again?.result) ? { result: again?.result as string } : {}),
    ...(isKept(redacted.error, again?.error) ? { error: again?.error as string } : {}),
    ...(yields.some((text, n) => text !== redacted.yields?.[n]) ? { yields } : {}),
  };
}

function keptExchange(x: ExchangeDraft, draft: StepDraft, vault: Vault): Kept {
  const { exchange } = draft.record;
  const none = { text: null, bytes: null, mime: "", known: false };
  if (exchange === undefined) return {};
  const sent = { head: exchange.request, request: draft.request ?? none, tally: new Tally() };
  const { record, answer } = exchangePart(x, sent, vault.scrubber, new Tally());
  forgetReceived(x);
  const again = record.exchange;
  const body = keptBody(draft.answer, answer, vault);
  const head = keptHead(exchange.response, again?.response, vault);
  const { response } = exchange;
  const failure = again?.error;
  const hasFailed = failure !== undefined && mayBeKept(JSON.stringify(exchange.error), JSON.stringify(failure), vault);
  return {
    ...((body ?? head) !== null && response !== undefined
      ? { response: { ...(head ?? headOf(response)), ...(body === null ? {} : { body }) } }
      : {}),
    ...(hasFailed ? { failure } : {}),
  };
}

type Response = NonNullable<NonNullable<StepDraft["record"]["exchange"]>["response"]>;

const headOf = ({ reason, headers, url }: Response): KeptResponse => ({
  reason,
  headers,
  ...(url === undefined ? {} : { url }),
});

function keptHead(redacted: Response | undefined, again: Response | undefined, vault: Vault): KeptResponse | null {
  if (redacted === undefined || again === undefined) return null;
  const [one, other] = [headOf(redacted), headOf(again)];
  return mayBeKept(JSON.stringify(one), JSON.stringify(other), vault) ? other : null;
}

function keptBody(redacted: AnswerDraft | null, again: AnswerDraft | null, vault: Vault): RecordedBody | null {
  if (redacted === null || again === null) return null;
  if (!mayBeKept(shown(redacted), shown(again), vault)) return null;
  const cuts = again.cuts === null ? {} : { cuts: again.cuts };
  if (again.text !== null) return { text: again.text, ...cuts };
  return again.bytes === null ? null : { base64: latinOrBase64(again.bytes, "base64"), ...cuts };
}

/** The text in which tokens stand: of a compressed body what is inside, of bytes each one a character. */
const shown = ({ inside, text, bytes }: AnswerDraft): string =>
  inside ?? text ?? (bytes === null ? "" : latinOrBase64(bytes, "latin1"));

const latinOrBase64 = (bytes: Uint8Array, as: "latin1" | "base64"): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(as);

/**
 * Whether a text without its secrets differs from the redacted one and hides all that must be hidden: each token of a
 * type that is never kept stands in both, as often. A text that was not scanned is never kept.
 */
export function mayBeKept(redacted: string, kept: string, vault: Pick<Vault, "keeps">): boolean {
  if (redacted === kept) return false;
  const hidden = new Map<string, number>();
  for (const { type, token } of findTokens(kept)) {
    if (type === "UNSCANNED") return false;
    hidden.set(token, (hidden.get(token) ?? 0) + 1);
  }
  for (const { type, token } of findTokens(redacted)) {
    if (vault.keeps(type)) continue;
    const left = hidden.get(token) ?? 0;
    if (left === 0) return false;
    hidden.set(token, left - 1);
  }
  return true;
}

function answerValues(kept: Kept, { record, answer }: StepDraft, vault: Vault): TokenValues {
  const { call, exchange } = record;
  const pairs: [string | undefined, string | undefined][] = [
    [call?.result, kept.result],
    [call?.error, kept.error],
    ...(kept.yields ?? []).map((text, n): [string | undefined, string] => [call?.yields?.[n], text]),
    [exchange?.response && JSON.stringify(headOf(exchange.response)), headText(kept.response)],
  ];
  const body = kept.response?.body?.text;
  return Object.assign(
    {},
    ...pairs.map(([one, other]) => (one && other ? tokenValues(one, other, vault.keeps) : {})),
    answer?.text && typeof body === "string" ? valuesOf(answer.text, body, answer.cuts, vault) : {},
  );
}

/** In events a value may be in pieces, however they came. */
function valuesOf(redacted: string, original: string, cuts: AnswerDraft["cuts"], { keeps }: Vault): TokenValues {
  const isStream = /^(?:data|event|id)?:/.test(redacted) || (redacted.startsWith("{") && (cuts?.length ?? 0) > 1);
  return isStream ? streamTokenValues(redacted, original, keeps) : tokenValues(redacted, original, keeps);
}

const headText = (response: KeptResponse | undefined): string | undefined =>
  response && JSON.stringify({ reason: response.reason, headers: response.headers, url: response.url });

/** Read only where a token is new to the run: what an agent asks for repeats all that went before. */
function requestValues(step: Step, draft: StepDraft, vault: Vault): TokenValues {
  const isNew = (text: string): boolean =>
    findTokens(text).some(({ type, token }) => vault.keeps(type) && !vault.knows(draft.run, token));
  const values = (redacted: string, again: () => string | null): TokenValues => {
    if (!isNew(redacted)) return {};
    const kept = again();
    return kept !== null && mayBeKept(redacted, kept, vault) ? tokenValues(redacted, kept, vault.keeps) : {};
  };
  const { call, exchange } = draft.record;
  if (step.call !== null && call !== undefined) {
    const { args } = step.call;
    return values(call.args, () => scrubTyped(vault.scrubber, args, new Tally()));
  }
  if (step.exchange === null || exchange === undefined) return {};
  const x = step.exchange;
  let read: ReturnType<typeof readRequest> | null = null;
  const again = (): ReturnType<typeof readRequest> => (read ??= readRequest(x, vault.scrubber, new Tally()));
  return {
    ...values(exchange.request.url, () => again().head.url),
    ...values(JSON.stringify(exchange.request.headers), () => JSON.stringify(again().head.headers)),
    ...values(draft.request?.text ?? "", () => again().request.text),
  };
}
