import { findTokens, type RecordedBody } from "@reenact/envelope";
import { argsOf, callPart, valueOfRoot } from "../span/call-part.ts";
import { exchangePart, readOriginals, readRequest, type TextsRead } from "../span/draft-step.ts";
import type { AnswerDraft, DraftText, StepDraft } from "../span/draft.ts";
import { guarded } from "../fault/faults.ts";
import { forgetReceived } from "../span/received.ts";
import { recorder } from "../run/recorder.ts";
import { Tally } from "./scrub-exchange.ts";
import type { Originals, KeptResponse, TokenValues } from "./kept.ts";
import type { RunStart } from "../run/run-start.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Step } from "../span/step.ts";
import { sentValues } from "./requests-asked.ts";
import { streamTokenValues, tokenValues } from "./token-values.ts";
import { typedOf } from "../span/value-snapshot.ts";
import type { Vault } from "./vault.ts";

/** Typed encoding of nothing: the arguments are not read again where only the answer is wanted. */
const NOTHING = "-1";

type Kept = Originals["kept"];

/** A step with redacted texts. */
export interface RedactedTexts {
  readonly record: Pick<StepDraft["record"], "call" | "exchange">;
  readonly answer: AnswerDraft | null;
  readonly requestText: string;
}

/** The same step with its secrets alone redacted; each part is read when it is asked for. */
export interface SecretlessTexts {
  answers(): { record: Pick<StepDraft["record"], "call" | "exchange">; answer: AnswerDraft | null };
  args(): string | null;
  /** null: it was read before */
  request(): { url: string | null; headers: string | null; text: string | null };
}

/**
 * Keeps what redaction has replaced in a step: its answers as the program got them, and the values of the tokens in its
 * request. Called with the redacted step before that is written. Nothing is done where nothing was replaced that may be
 * kept. Of a step that another thread has read, that thread has found the originals.
 */
export function keepOriginals(step: Step, draft: StepDraft<DraftText>): void {
  guarded("vault", undefined, () => {
    const { vault } = recorder;
    const counts = Object.keys(draft.record.redacted?.counts ?? {});
    if (vault === null || !counts.some((type) => vault.keeps(type)) || !vault.takes(draft.run)) return;
    const read = readOriginals.get(draft);
    const found = read === undefined ? readHere(step, draft, vault) : read;
    const sent = step.exchange === null ? undefined : sentValues.get(step.exchange);
    if (found === null && sent === undefined) return;
    const { kept, packed, values } = { ...(found ?? NONE_FOUND), values: { ...sent, ...found?.values } };
    if (packed === undefined && isEmpty({ kept, values })) return;
    vault.step(draft.run, { step: draft.record.step, span: draft.spanId, ...kept }, values, packed);
  });
}

const NONE_FOUND: Originals = { kept: {}, values: {} };

const isEmpty = ({ kept, values }: Originals): boolean =>
  Object.keys(kept).length === 0 && Object.keys(values).length === 0;

/** Keeps the input of an `agent()` call. `found`: what another thread has found in it; undefined: it is read here. */
export function keepInput(
  run: string,
  { input: given, inputJson }: Pick<RunStart, "input" | "inputJson">,
  scrubber: Scrubber,
  found?: Originals | null,
): void {
  guarded("vault", undefined, () => {
    const { vault } = recorder;
    if (given === null || given === undefined || vault?.takes(run) !== true) return;
    if (found !== undefined) {
      if (found?.args !== undefined) vault.root(run, { input: found.args }, found.values);
      return;
    }
    const tally = new Tally();
    const input = typedOf(given);
    const redacted = valueOfRoot(input, inputJson, scrubber, tally);
    if (!Object.keys(tally.counts).some((type) => vault.keeps(type))) return;
    const kept = valueOfRoot(input, inputJson, vault.scrubber, new Tally());
    if (mayBeKept(redacted, kept, vault)) vault.root(run, { input: kept }, tokenValues(redacted, kept, vault.keeps));
  });
}

/** Reads a step again on this thread, as far as it needs to be read. */
function readHere({ exchange: x, call }: Step, draft: StepDraft<DraftText>, vault: Vault): Originals | null {
  const { request, answer } = draft;
  const redacted = {
    record: draft.record,
    answer: withTexts(answer),
    // the values of what another thread has read before the step ended are in `sentValues`
    requestText: typeof request?.text === "string" ? request.text : "",
  };
  const { scrubber } = vault;
  let read: ReturnType<typeof readRequest> | null = null;
  const again: SecretlessTexts = {
    answers() {
      const { exchange } = draft.record;
      if (x === null)
        return callPart(
          call === null ? null : { ...call, args: NOTHING, input: null, output: null },
          scrubber,
          new Tally(),
        );
      if (exchange === undefined) return { record: {}, answer: null };
      const part = exchangePart(x, { head: exchange.request }, scrubber, new Tally());
      forgetReceived(x);
      return part;
    },
    args: () => (call === null ? null : argsOf(call, scrubber, new Tally())),
    request() {
      if (x === null) return { url: "", headers: "", text: null };
      const { head, request: sent } = (read ??= readRequest(x, scrubber, new Tally()));
      return { url: head.url, headers: JSON.stringify(head.headers), text: sent.text };
    },
  };
  return originalsOf(redacted, again, { keeps: vault.keeps, knows: (token) => vault.knows(draft.run, token) });
}

function withTexts(answer: AnswerDraft<DraftText> | null): AnswerDraft | null {
  if (answer === null) return null;
  const text = (part: DraftText | null): string | null =>
    part === null || typeof part === "string" ? part : Buffer.from(part).toString();
  return { ...answer, text: text(answer.text), inside: text(answer.inside) };
}

/** What may be kept, and what the record says of it already. */
export interface Wanted {
  keeps(type: string): boolean;
  /** the original of this token is kept already */
  knows(token: string): boolean;
}

/** Compares a redacted step with itself without secrets. */
export function originalsOf(redacted: RedactedTexts, again: SecretlessTexts, wanted: Wanted): Originals {
  const { record, answer } = again.answers();
  const kept =
    redacted.record.call === undefined
      ? keptExchange(redacted, { record, answer }, wanted)
      : keptCall(redacted, record, wanted);
  return { kept, values: { ...answerValues(kept, redacted, wanted), ...requestValues(redacted, again, wanted) } };
}

type Keeps = Pick<Wanted, "keeps">;

function keptCall(
  { record: { call: redacted } }: RedactedTexts,
  { call: again }: RedactedTexts["record"],
  wanted: Keeps,
): Kept {
  if (redacted === undefined) return {};
  const isKept = (one: string | undefined, other: string | undefined): other is string =>
    one !== undefined && other !== undefined && mayBeKept(one, other, wanted);
  const yields = (again?.yields ?? []).map((text, n) => {
    const one = redacted.yields?.[n] ?? NOTHING;
    return isKept(one, text) ? text : one;
  });
  return {
    ...(isKept(redacted.result, again?.result) ? { result: again?.result } : {}),
    ...(isKept(redacted.error, again?.error) ? { error: again?.error } : {}),
    ...(yields.some((text, n) => text !== redacted.yields?.[n]) ? { yields } : {}),
  };
}

function keptExchange(
  { record: { exchange }, answer: redacted }: RedactedTexts,
  { record: { exchange: again }, answer }: ReturnType<SecretlessTexts["answers"]>,
  wanted: Keeps,
): Kept {
  if (exchange === undefined) return {};
  const body = keptBody(redacted, answer, wanted);
  const head = keptHead(exchange.response, again?.response, wanted);
  const { response } = exchange;
  const failure = again?.error;
  const hasFailed = failure !== undefined && mayBeKept(JSON.stringify(exchange.error), JSON.stringify(failure), wanted);
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

function keptHead(redacted: Response | undefined, again: Response | undefined, wanted: Keeps): KeptResponse | null {
  if (redacted === undefined || again === undefined) return null;
  const [one, other] = [headOf(redacted), headOf(again)];
  return mayBeKept(JSON.stringify(one), JSON.stringify(other), wanted) ? other : null;
}

function keptBody(redacted: AnswerDraft | null, again: AnswerDraft | null, wanted: Keeps): RecordedBody | null {
  if (redacted === null || again === null) return null;
  if (!mayBeKept(shown(redacted), shown(again), wanted)) return null;
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

function answerValues(kept: Kept, { record, answer }: RedactedTexts, wanted: Keeps): TokenValues {
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
    ...pairs.map(([one, other]) => (one && other ? tokenValues(one, other, wanted.keeps) : {})),
    answer?.text && typeof body === "string" ? valuesOf(answer.text, body, answer.cuts, wanted) : {},
  );
}

/** In events a value may be in pieces, however they came. */
function valuesOf(redacted: string, original: string, cuts: AnswerDraft["cuts"], { keeps }: Keeps): TokenValues {
  const isStream = /^(?:data|event|id)?:/.test(redacted) || (redacted.startsWith("{") && (cuts?.length ?? 0) > 1);
  return isStream ? streamTokenValues(redacted, original, keeps) : tokenValues(redacted, original, keeps);
}

const headText = (response: KeptResponse | undefined): string | undefined =>
  response && JSON.stringify({ reason: response.reason, headers: response.headers, url: response.url });

/** Read only where a token is new to the run: what an agent asks for repeats all that went before. */
function requestValues({ record, requestText }: RedactedTexts, again: SecretlessTexts, wanted: Wanted): TokenValues {
  const { keeps, knows } = wanted;
  const isNew = (text: string): boolean => findTokens(text).some(({ type, token }) => keeps(type) && !knows(token));
  const values = (redacted: string, read: () => string | null): TokenValues => {
    if (!isNew(redacted)) return {};
    const kept = read();
    return kept !== null && mayBeKept(redacted, kept, wanted) ? tokenValues(redacted, kept, keeps) : {};
  };
  const { call, exchange } = record;
  if (call !== undefined) return values(call.args, () => again.args());
  if (exchange === undefined) return {};
  return {
    ...values(exchange.request.url, () => again.request().url),
    ...values(JSON.stringify(exchange.request.headers), () => again.request().headers),
    ...values(requestText, () => again.request().text),
  };
}

/** What may be kept of texts that were read whole, redacted and with secrets alone redacted. */
export function originalsOfRead(read: TextsRead, again: TextsRead, keeps: (type: string) => boolean): Originals {
  const wanted = { keeps, knows: () => false };
  const redacted = { record: read.record, answer: read.answer, requestText: read.request?.text ?? "" };
  const { head } = again;
  const found = originalsOf(
    redacted,
    {
      answers: () => again,
      args: () => again.record.call?.args ?? null,
      request: () => ({
        url: head?.url ?? null,
        headers: head === null ? null : JSON.stringify(head.headers),
        text: again.request?.text ?? null,
      }),
    },
    wanted,
  );
  const args = again.record.call?.args;
  const isKept = args !== undefined && mayBeKept(read.record.call?.args ?? args, args, wanted);
  return isKept ? { ...found, args } : found;
}
