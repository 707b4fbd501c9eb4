import { draftOfRead, draftOfReadRequest, draftRequest, draftStep, keepRequest } from "../span/draft-step.ts";
import { draftUnread } from "../span/draft-unread.ts";
import type { DraftText, ReadTexts, StepDraft } from "../span/draft.ts";
import { live } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Step } from "../span/step.ts";
import { earlyRead } from "./read-ahead.ts";
import { isEndedReadElsewhere, isLong, isRequestReadElsewhere, readWhole } from "./read-elsewhere.ts";
import { requestsAsked, sentValues } from "./requests-asked.ts";
import { Tally } from "./scrub-exchange.ts";

/** The result of another thread for a step that has ended; null: it failed, and no other thread may read the step. */
const ended = new WeakMap<Step, ReadTexts | null>();
/**
 * Has a long step that has ended read by another thread, which it is given in a turn of its own; null: it is read here.
 * Never rejects.
 */
export function readLater(step: Step, scrubber: Scrubber): Promise<void> | null {
  if (!isLong(step, scrubber)) return null;
  const before = step.exchange === null ? undefined : requestsAsked.get(step.exchange);
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = (): void => {
    // a process that ends has written it; or what is left of it is little by now
    const reading =
      step.state === "ended" || !(isLong(step, scrubber) || isEndedReadElsewhere(step, scrubber))
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
  const long = isLong(step, scrubber);
  const reading = readWhole(step, step.exchange, step.error, long, scrubber);
  if (reading === null) return null;
  return reading.then((read) => {
    if (read !== null || long) ended.set(step, read);
  });
}

/** The draft of a step that has ended. Texts that no thread has read are read here, unless that is known to be impossible. */
export function draftOf(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const read = ended.has(step) ? ended.get(step) : earlyRead(step, scrubber);
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
  const long = isLong(step, scrubber);
  const reading =
    long || isRequestReadElsewhere(step, scrubber)
      ? scrubber.readElsewhere?.({
          exchange: x,
          call,
          error: null,
          lossy: [],
          head: null,
          underWay: true,
          isLong: long,
          at: null,
        })
      : null;
  if (reading === undefined || reading === null) return draftRequest(step, scrubber);
  // a body that comes to be known later is another one
  const body = x?.requestBody;
  const drafted = reading.then((read) => {
    if (read === null) return long ? null : draftRequest(step, scrubber);
    const { head, request, requestCounts, requestPlaces } = read;
    if (x !== null && head !== null && request !== null && x.requestBody === body) {
      const tally = new Tally();
      tally.add(requestCounts, requestPlaces);
      keepRequest(x, scrubber, { head, request, tally });
      if (read.originals !== null) sentValues.set(x, read.originals.values);
    }
    return draftOfReadRequest(step, scrubber, read);
  });
  const sure = drafted.catch(() => null);
  if (x !== null) requestsAsked.set(x, sure);
  return sure;
}
