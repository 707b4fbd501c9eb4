import { live } from "../run/context.ts";
import { yieldOf } from "./call-part.ts";
import { draftRequest, draftSoFar } from "./draft-step.ts";
import type { DraftText, StepDraft } from "./draft.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { prepareStep } from "./prepare-step.ts";
import { isReadAhead } from "../redact/read-ahead.ts";
import { isLong } from "../redact/read-elsewhere.ts";
import { draftOfRequest } from "../redact/read-later.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Sink } from "../run/sink.ts";
import type { Step } from "./step.ts";

/** How a run writes what is known of steps that go on. */
export interface UnderWay {
  /** null: nothing is written of them */
  scrubber(): Scrubber | null;
  /** the run is written, and has not ended */
  goesOn(): boolean;
  /** at once, or as soon as the run is written */
  to(write: (sink: Sink) => unknown): void;
}

function isUnderWay(step: Step, run: UnderWay): boolean {
  return step.state === "open" && !isReadAhead(step) && run.goesOn();
}

/** steps whose request was written with or before values that they have given */
const withValues = new WeakSet<Step>();

/** Writes the request of a step in a turn of the recorder, once it is scanned, if the step still goes on. */
export function writeRequestLater(step: Step, run: UnderWay): void {
  live(() =>
    originals.setImmediate(() => {
      const scrubber = run.scrubber();
      if (scrubber === null || !isUnderWay(step, run)) return;
      // also while another thread reads the request: it stands in what is written with the values
      const isWanted = (): boolean => isUnderWay(step, run) && !withValues.has(step);
      const write = (draft: StepDraft<DraftText> | null): void => {
        if (draft !== null && isWanted()) run.to((sink) => sink.request(draft));
      };
      const read = (): void => {
        if (!isWanted()) return;
        const draft = draftOfRequest(step, scrubber);
        // never rejects
        if (draft instanceof Promise) void draft.then((each) => guarded("request", undefined, () => write(each)));
        else write(draft);
      };
      guarded("request", undefined, () => {
        const wait = prepareStep(step, scrubber);
        if (wait === null) read();
        else void wait.then(() => guarded("request", undefined, read));
      });
    }),
  );
}

/** steps whose values are written one by one */
const writtenByValue = new WeakSet<Step>();

/**
 * Writes a value that stands alone, at once or as soon as the run is written. The request comes before the first one. Where
 * redaction has to wait for an answer nothing is written before the step ends.
 */
export function writeYield(step: Step, at: number, run: UnderWay): void {
  writtenByValue.add(step);
  run.to((sink) => {
    const scrubber = run.scrubber();
    const { call, state } = step;
    if (scrubber === null || scrubber.answersLater === true || call === null || state !== "open") return;
    const write = (): void => {
      if (!withValues.has(step)) sink.request(draftRequest(step, scrubber));
      withValues.add(step);
      sink.yielded(step.run.id, step.index, at, yieldOf(call, at, scrubber));
    };
    live(() => guarded("values", undefined, write));
  });
}

/**
 * A step with less than this is written again with each new value; one with more only when a quarter more values have come, so that
 * many small values do not cost the square of their number. UTF-16 units or bytes.
 */
const WRITTEN_EACH_TIME = 32 * 1024;
/** the number of values with which a step is written again */
const nextWritten = new WeakMap<Step, number>();

/**
 * Writes the values that the agent has got from steps that go on: what a generator has yielded, what a server has sent, the chunks of
 * an answer. If the process is killed later, a replay gives these values again. Called before `by` is sent or run, and before the
 * record of `by` is written, since the journal in that record says that the values were delivered. Chunks of an answer are
 * written only where `by` is the call of a function: not for each request that is sent while answers are streamed.
 * Not written before its end is a step with more than this thread may read, and any step where redaction has to wait for a detector.
 */
export function writeValuesSoFar(open: Iterable<Step>, by: Step, run: UnderWay): void {
  const scrubber = run.scrubber();
  if (scrubber === null || scrubber.answersLater === true) return;
  for (const step of open) {
    if (step === by || step.answer.from !== "live" || writtenByValue.has(step)) continue;
    const count = valuesOf(step, by);
    if (count < (nextWritten.get(step) ?? 1) || !isUnderWay(step, run)) continue;
    const next = isLong(step, scrubber) ? Infinity : nextAfter(step, count);
    nextWritten.set(step, next);
    if (next === Infinity) continue;
    withValues.add(step);
    live(() => guarded("values", undefined, () => writeSoFar(step, scrubber, run)));
  }
}

function writeSoFar(step: Step, scrubber: Scrubber, run: UnderWay): void {
  const draft = draftSoFar(step, scrubber);
  run.to((sink) => sink.request(draft));
}

/** How many values a step has given, of those that are written before `by`. */
function valuesOf({ exchange: x, call }: Step, by: Step): number {
  if (x === null) return call?.yields?.length ?? 0;
  return x.response === null || by.call === null ? 0 : 1 + x.chunks.length;
}

function nextAfter({ exchange, call }: Step, count: number): number {
  const values: readonly { readonly length: number }[] = exchange?.chunks ?? call?.yields ?? [];
  const size = values.reduce((sum, { length }) => sum + length, 0);
  return size <= WRITTEN_EACH_TIME ? count + 1 : Math.ceil(count * 1.25);
}
