import {
  draftOfRead,
  draftOfReadRequest,
  draftRequest,
  draftStep,
  keepRequest,
  knownRequest,
} from "../span/draft-step.ts";
import { draftUnread } from "../span/draft-unread.ts";
import type { DraftText, ReadTexts, StepDraft } from "../span/draft.ts";
import { live } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { requestEncoding } from "../transport/content-coding.ts";
import { mimeOf } from "../transport/mime.ts";
import { MOST_READ_HERE } from "./most-read-here.ts";
import { answerSize, requestSize } from "./text-size.ts";
import { originals } from "../patch/originals.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Step } from "../span/step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";
import { Tally } from "./scrub-exchange.ts";

/** The result of another thread for a step that has ended; null: it failed, and no other thread may read the step. */
const ended = new WeakMap<Step, ReadTexts | null>();
/** Requests that are with the other thread. */
const asked = new WeakMap<ExchangeDraft, Promise<unknown>>();

/** Whether a step, as far as it has come, is more than this thread may read. */
export function isLong(step: Step, scrubber: Scrubber | null): boolean {
  if (scrubber?.readElsewhere === undefined || scrubber.answersLater === true || step.answer.from !== "live")
    return false;
  const { exchange: x } = step;
  if (x === null) return sizeOf(step) > MOST_READ_HERE;
  const [rest, request] = [sizeOf(step) + answerSize(x), requestSize(x)];
  if (rest + request <= MOST_READ_HERE) return false;
  return rest + unreadRequest(x, request, scrubber) > MOST_READ_HERE;
}

/**
 * Has a long step that has ended read by another thread, which it is given in a turn of its own; null: it is read here.
 * Never rejects.
 */
export function readLater(step: Step, scrubber: Scrubber): Promise<void> | null {
  if (!isLong(step, scrubber)) return null;
  const before = step.exchange === null ? undefined : asked.get(step.exchange);
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = (): void => {
    // a process that ends has written it; or what is left of it is little by now
    const reading =
      step.state === "ended" || !isLong(step, scrubber)
        ? null
        : guarded("finish", null, () => readEnded(step, scrubber));
    if (reading === null) resolve();
    else void reading.then(resolve, () => resolve());
  };
  live(() => {
    if (before === undefined) originals.setImmediate(read);
    else void before.then(read);
  });
  return promise;
}

function readEnded(step: Step, scrubber: Scrubber): Promise<void> | null {
  const { exchange: x, call, error, lossy } = step;
  const sent = x === null ? null : knownRequest(x, scrubber);
  const exchange = x === null || sent === null ? x : { ...x, requestBody: null };
  const reading = scrubber.readElsewhere?.({ exchange, call, error, lossy, head: sent?.head ?? null, underWay: false });
  if (reading === undefined || reading === null) return null;
  return reading.then((read) => {
    if (read === null || sent === null) return void ended.set(step, read);
    const { request, tally } = sent;
    ended.set(step, { ...read, request, requestCounts: tally.counts, requestPlaces: tally.places });
  });
}

/** The draft of a step that has ended. Texts that no thread has read are read here, unless that is known to be impossible. */
export function draftOf(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const read = ended.get(step);
  ended.delete(step);
  if (read === undefined) return draftStep(step, scrubber);
  return read === null ? draftUnread(step, scrubber) : draftOfRead(step, scrubber, read);
}

/** The draft of a step that is under way; null: it is not to be had. Never rejects. */
export function draftOfRequest(
  step: Step,
  scrubber: Scrubber,
): StepDraft<DraftText> | Promise<StepDraft<DraftText> | null> {
  const { exchange: x, call } = step;
  const reading = isLong(step, scrubber)
    ? scrubber.readElsewhere?.({ exchange: x, call, error: null, lossy: [], head: null, underWay: true })
    : null;
  if (reading === undefined || reading === null) return draftRequest(step, scrubber);
  // a body that comes to be known later is another one
  const body = x?.requestBody;
  const drafted = reading.then((read) => {
    if (read === null) return null;
    const { head, request, requestCounts, requestPlaces } = read;
    if (x !== null && head !== null && request !== null && x.requestBody === body) {
      const tally = new Tally();
      tally.add(requestCounts, requestPlaces);
      keepRequest(x, scrubber, { head, request, tally });
    }
    return draftOfReadRequest(step, scrubber, read);
  });
  const sure = drafted.catch(() => null);
  if (x !== null) asked.set(x, sure);
  return sure;
}

function unreadRequest(x: ExchangeDraft, size: number, scrubber: Scrubber): number {
  const { requestBody: body, requestHeaders } = x;
  if (knownRequest(x, scrubber) !== null) return 0;
  if (typeof body !== "string" || size <= MOST_READ_HERE || requestEncoding(requestHeaders) !== null) return size;
  return scrubber.unread?.(body, { mime: mimeOf(requestHeaders) }) ?? size;
}

/** Without the bodies of an exchange. */
function sizeOf({ exchange: x, call, error }: Step): number {
  const failed = error?.message.length ?? 0;
  if (x !== null) return failed + (x.error?.typed?.length ?? 0) + x.url.length;
  if (call === null) return failed;
  const texts = [call.args, call.result ?? "", call.error ?? "", call.input ?? "", call.output ?? ""];
  return failed + sum(texts) + sum(call.yields ?? []);
}

function sum(texts: ReadonlyArray<{ readonly length: number }>): number {
  return texts.reduce((all, { length }) => all + length, 0);
}
