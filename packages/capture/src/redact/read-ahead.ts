import { live } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import type { ReadTexts } from "../span/draft.ts";
import { received } from "../span/received.ts";
import type { ExchangeDraft } from "../span/step-content.ts";
import type { OpenStep } from "../span/open-step.ts";
import type { Step } from "../span/step.ts";
import { originals } from "../patch/originals.ts";
import { guarded } from "../fault/faults.ts";
import { isAnswerReadElsewhere, readWhole } from "./read-elsewhere.ts";
import { requestsAsked } from "./requests-asked.ts";
import type { Scrubber } from "./scrubber.ts";

interface Early {
  /** null: the thread has not answered */
  read: ReadTexts | null;
  /** what was known, and how much had come, when it was asked */
  readonly version: number | undefined;
  readonly chunks: number;
  readonly lossy: number;
}

const early = new WeakMap<Step, Early>();

/**
 * Has a step whose answer has come whole read by another thread before the agent gets the end of it, so that its settle only
 * has to write it. Null: nothing to wait for. Resolves within `recorder.patience`, and never rejects; the event loop is held until
 * then. A step that was not read by then is read by this thread.
 */
export function readAhead(step: OpenStep): Promise<void> | null {
  const { scrubber } = recorder;
  const { exchange: x, run } = step;
  if (scrubber === null || !run.hasReader || run.over || step.state !== "open") return null;
  if (x === null || x.response === null || !isAnswerReadElsewhere(step, x, scrubber)) return null;
  const known: Early = { read: null, version: scrubber.version, chunks: x.chunks.length, lossy: step.lossy.length };
  early.set(step, known);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = live(() => originals.setTimeout(resolve, recorder.patience));
  const release = (): void => {
    originals.clearTimeout(timer);
    resolve();
  };
  const ask = (): void => {
    const reading = step.state === "open" ? guarded("finish", null, () => askWhole(step, x, scrubber)) : null;
    if (reading === null) return release();
    void reading.then((read) => (known.read = read)).then(release, release);
  };
  const before = requestsAsked.get(x);
  if (before === undefined) ask();
  else void before.then(ask);
  return promise;
}

/** Its pieces are joined: another thread is given one text faster than many. */
function askWhole(step: Step, x: ExchangeDraft, scrubber: Scrubber): Promise<ReadTexts | null> | null {
  const whole: ExchangeDraft = { ...x, chunks: [received(x).bytes], end: "complete" };
  return live(() => readWhole(step, whole, null, false, scrubber, x));
}

/** Whether the step waits for `readAhead`: what is read of it now is read with it. */
export const isReadAhead = (step: Step): boolean => early.has(step);

/** Whether there is what `readAhead` has found, and the step has ended as it was read. */
export function hasEarlyRead(step: Step, scrubber: Scrubber | null): boolean {
  const { exchange: x, error, lossy } = step;
  const known = early.get(step);
  if (known === undefined || known.read === null) return false;
  const isSame = x?.end === "complete" && error === null && x.chunks.length === known.chunks;
  return isSame && lossy.length === known.lossy && scrubber?.version === known.version;
}

/** Takes what `readAhead` has found; undefined: nothing, or the step has ended otherwise than it was read. */
export function earlyRead(step: Step, scrubber: Scrubber): ReadTexts | undefined {
  const read = hasEarlyRead(step, scrubber) ? early.get(step)?.read : null;
  early.delete(step);
  return read ?? undefined;
}
