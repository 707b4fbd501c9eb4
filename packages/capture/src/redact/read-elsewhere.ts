import { knownRequest } from "../span/draft-step.ts";
import type { ReadTexts } from "../span/draft.ts";
import type { CallDraft, ExchangeDraft } from "../span/step-content.ts";
import type { Step } from "../span/step.ts";
import type { RecordedError } from "@reenact/envelope";
import { requestEncoding } from "../transport/content-coding.ts";
import { mimeOf } from "../transport/mime.ts";
import { MOST_READ_HERE } from "./most-read-here.ts";
import { hasReader, type Scrubber } from "./scrubber.ts";
import { requestsAsked } from "./requests-asked.ts";
import { answerSize, requestSize } from "./text-size.ts";

/** A thread that is asked for less takes longer than to read it here. UTF-16 units or bytes. */
export const LEAST_READ_ELSEWHERE = 8 * 1024;

/** Whether a step, as far as it has come, is more than this thread may read. */
export function isLong(step: Step, scrubber: Scrubber | null): boolean {
  if (scrubber === null || !hasReader(scrubber) || step.answer.from !== "live") return false;
  const { exchange: x } = step;
  if (x === null) return sizeOf(step) > MOST_READ_HERE;
  const [rest, request] = [sizeOf(step) + answerSize(x), requestSize(x)];
  if (rest + request <= MOST_READ_HERE) return false;
  return rest + unreadRequest(x, request, scrubber) > MOST_READ_HERE;
}

/**
 * Whether the answer of a step is less than this thread may read, and better read by the other one. `whole`: the exchange with all of
 * its answer, of which `x` may lack the end.
 */
export function isAnswerReadElsewhere(step: Step, x: ExchangeDraft, whole: ExchangeDraft, scrubber: Scrubber): boolean {
  if (!hasReader(scrubber) || step.answer.from !== "live") return false;
  if (sum(whole.chunks) < LEAST_READ_ELSEWHERE) return false;
  const answer = sizeOf(step) + answerSize(whole);
  if (answer > MOST_READ_HERE) return false;
  // a request that is with the other thread is known before the answer; for a long one the agent does not wait
  const isShort = requestsAsked.has(x)
    ? unreadRequest(x, requestSize(x), scrubber) <= MOST_READ_HERE
    : !isLong(step, scrubber);
  return isShort && scrubber.readsSoon?.() === true;
}

/** The same of a call, with its result. */
export function isResultReadElsewhere(step: Step, call: CallDraft, scrubber: Scrubber): boolean {
  if (!hasReader(scrubber) || step.answer.from !== "live") return false;
  return sizeOf({ exchange: null, call, error: null }) <= MOST_READ_HERE && scrubber.readsSoon?.() === true;
}

/** Whether a step that has ended, and is less than this thread may read, is better read by the other one. */
export function isEndedReadElsewhere(step: Step, scrubber: Scrubber): boolean {
  const { exchange: x } = step;
  return sizeOf(step) + (x === null ? 0 : answerSize(x)) >= LEAST_READ_ELSEWHERE && scrubber.readsSoon?.() === true;
}

/** Whether the request of a step that goes on, or its arguments, are better read by the other thread. */
export function isRequestReadElsewhere(step: Step, scrubber: Scrubber): boolean {
  if (!hasReader(scrubber) || step.answer.from !== "live") return false;
  const { exchange: x, call } = step;
  const size = x === null ? (call?.args.length ?? 0) : requestSize(x);
  return size >= LEAST_READ_ELSEWHERE && scrubber.readsSoon?.() === true;
}

/**
 * Has the texts of a step that has ended, or will have as `x` says, read by another thread: without those of a request that was
 * read before. Null: there is no such thread; resolves to null where it cannot read them.
 */
export function readWhole(
  { call, lossy, index, spanId }: Step,
  x: ExchangeDraft | null,
  error: RecordedError | null,
  isLong: boolean,
  scrubber: Scrubber,
  known = x,
): Promise<ReadTexts | null> | null {
  const sent = known === null ? null : knownRequest(known, scrubber);
  const exchange = x === null || sent === null ? x : { ...x, requestBody: null };
  const at = { step: index, span: spanId };
  const head = sent?.head ?? null;
  const reading = scrubber.readElsewhere?.({ exchange, call, error, lossy, head, underWay: false, isLong, at });
  if (reading === undefined || reading === null) return null;
  return reading.then((read) => {
    if (read === null || sent === null) return read;
    const { request, tally } = sent;
    return { ...read, request, requestCounts: tally.counts, requestPlaces: tally.places };
  });
}

function unreadRequest(x: ExchangeDraft, size: number, scrubber: Scrubber): number {
  const { requestBody: body, requestHeaders } = x;
  if (knownRequest(x, scrubber) !== null) return 0;
  if (typeof body !== "string" || size <= MOST_READ_HERE || requestEncoding(requestHeaders) !== null) return size;
  return scrubber.unread?.(body, { mime: mimeOf(requestHeaders) }) ?? size;
}

/** Without the bodies of an exchange. */
function sizeOf({ exchange: x, call, error }: Pick<Step, "exchange" | "call" | "error">): number {
  const failed = error?.message.length ?? 0;
  if (x !== null) return failed + (x.error?.typed?.length ?? 0) + x.url.length;
  if (call === null) return failed;
  const texts = [call.args, call.result ?? "", call.error ?? "", call.input ?? "", call.output ?? ""];
  return failed + sum(texts) + sum(call.yields ?? []);
}

function sum(texts: ReadonlyArray<{ readonly length: number }>): number {
  return texts.reduce((all, { length }) => all + length, 0);
}
