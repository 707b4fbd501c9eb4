import { encodeValue } from "@reenact/envelope";
import { live } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import type { ReadTexts } from "../span/draft.ts";
import { received } from "../span/received.ts";
import type { CallDraft, ExchangeDraft } from "../span/step-content.ts";
import type { OpenStep } from "../span/open-step.ts";
import type { Step } from "../span/step.ts";
import { originals } from "../patch/originals.ts";
import { guarded } from "../fault/faults.ts";
import { plainJson } from "./plain-json.ts";
import { isAnswerReadElsewhere, isResultReadElsewhere, LEAST_READ_ELSEWHERE, readWhole } from "./read-elsewhere.ts";
import { requestsAsked } from "./requests-asked.ts";
import type { Scrubber } from "./scrubber.ts";

interface Early {
  /** null: the thread has not answered */
  read: ReadTexts | null;
  /** what was known, and how much had come, when it was asked */
  readonly version: number | undefined;
  readonly chunks: number;
  readonly lossy: number;
  /** of a call: its typed result */
  readonly result: string | null;
}

const early = new WeakMap<Step, Early>();

/**
 * Has a step whose answer has come whole read by another thread before the agent gets the end of it, so that its settle only
 * has to write it. Null: nothing to wait for. Resolves within `recorder.patience`, and never rejects; the event loop is held until
 * then. A step that was not read by then is read by this thread. `last`: the bytes that come with the end; all before are kept.
 */
export function readAhead(step: OpenStep, last: Uint8Array | null = null): Promise<void> | null {
  const { scrubber } = recorder;
  const { exchange: x, run } = step;
  if (scrubber === null || !run.hasReader || run.over || step.state !== "open") return null;
  if (x === null || x.response === null) return null;
  const whole = last === null ? x : { ...x, chunks: [...x.chunks, last] };
  if (!isAnswerReadElsewhere(step, x, whole, scrubber)) return null;
  const ask = (): Promise<ReadTexts | null> | null => askWhole(step, x, whole, scrubber);
  return waitFor(step, { scrubber, chunks: whole.chunks.length, result: null, ask, before: requestsAsked.get(x) });
}

/**
 * The same for a call whose body has returned a text, which cannot change before the agent gets it. Other values are read when they
 * are delivered: the program may change them until then.
 */
export function readResultAhead(step: OpenStep, call: CallDraft, returned: unknown): Promise<void> | null {
  const { scrubber } = recorder;
  if (typeof returned !== "string" || returned.length < LEAST_READ_ELSEWHERE) return null;
  if (scrubber === null || !step.run.hasReader || step.run.over || step.state !== "open") return null;
  const { text } = encodeValue(returned);
  const whole: CallDraft = { ...call, result: text, output: plainJson(returned, text) };
  if (!isResultReadElsewhere(step, whole, scrubber)) return null;
  const ask = (): Promise<ReadTexts | null> | null =>
    live(() => readWhole({ ...step, call: whole }, null, null, false, scrubber));
  return waitFor(step, { scrubber, chunks: 0, result: text, ask, before: undefined });
}

interface Asking {
  readonly scrubber: Scrubber;
  readonly chunks: number;
  readonly result: string | null;
  readonly ask: () => Promise<ReadTexts | null> | null;
  /** comes first */
  readonly before: Promise<unknown> | undefined;
}

function waitFor(step: OpenStep, { scrubber, chunks, result, ask, before }: Asking): Promise<void> {
  const known: Early = { read: null, version: scrubber.version, chunks, lossy: step.lossy.length, result };
  early.set(step, known);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = live(() => originals.setTimeout(resolve, recorder.patience));
  const release = (): void => {
    originals.clearTimeout(timer);
    resolve();
  };
  const start = (): void => {
    const reading = step.state === "open" ? guarded("finish", null, ask) : null;
    if (reading === null) return release();
    void reading.then((read) => (known.read = read)).then(release, release);
  };
  if (before === undefined) start();
  else void before.then(start);
  return promise;
}

/** Its pieces are joined: another thread is given one text faster than many. */
function askWhole(
  step: Step,
  x: ExchangeDraft,
  whole: ExchangeDraft,
  scrubber: Scrubber,
): Promise<ReadTexts | null> | null {
  const ended: ExchangeDraft = { ...x, chunks: [received(whole).bytes], end: "complete" };
  return live(() => readWhole(step, ended, null, false, scrubber, x));
}

/** Whether the step waits for `readAhead`: what is read of it now is read with it. */
export const isReadAhead = (step: Step): boolean => early.has(step);

/** Whether there is what `readAhead` has found, and the step has ended as it was read. */
export function hasEarlyRead(step: Step, scrubber: Scrubber | null): boolean {
  const { exchange: x, call, error, lossy } = step;
  const known = early.get(step);
  if (known === undefined || known.read === null) return false;
  const isWhole = x === null ? call?.result === known.result : x.end === "complete";
  const isSame = isWhole && error === null && (x?.chunks.length ?? 0) === known.chunks;
  return isSame && lossy.length === known.lossy && scrubber?.version === known.version;
}

/** Takes what `readAhead` has found; undefined: nothing, or the step has ended otherwise than it was read. */
export function earlyRead(step: Step, scrubber: Scrubber): ReadTexts | undefined {
  const read = hasEarlyRead(step, scrubber) ? early.get(step)?.read : null;
  early.delete(step);
  return read ?? undefined;
}
