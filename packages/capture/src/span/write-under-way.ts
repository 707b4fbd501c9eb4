import { live } from "../run/context.ts";
import { draftSoFar } from "./draft-step.ts";
import type { DraftText, StepDraft } from "./draft.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { prepareStep } from "./prepare-step.ts";
import { isReadAhead } from "../redact/read-ahead.ts";
import { isLong } from "../redact/read-elsewhere.ts";
import { draftOfRequest } from "../redact/read-later.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Step } from "./step.ts";

/** How a run writes what is known of steps that go on. */
export interface UnderWay {
  /** null: nothing is written of them */
  scrubber(): Scrubber | null;
  /** the run is written, and has not ended */
  goesOn(): boolean;
  write(draft: StepDraft<DraftText>): void;
}

function isUnderWay(step: Step, run: UnderWay): boolean {
  return step.state === "open" && !isReadAhead(step) && run.goesOn();
}

/** Writes the request of a step in a turn of the recorder, once it is scanned, if the step still goes on. */
export function writeRequestLater(step: Step, run: UnderWay): void {
  live(() =>
    originals.setImmediate(() => {
      const scrubber = run.scrubber();
      if (scrubber === null || !isUnderWay(step, run)) return;
      const write = (draft: StepDraft<DraftText> | null): void => {
        if (draft !== null && isUnderWay(step, run)) run.write(draft);
      };
      const read = (): void => {
        if (!isUnderWay(step, run)) return;
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

/** More of a step than this is not written again for each new value, but for each quarter more of them. UTF-16 units or bytes. */
const WRITTEN_EACH_TIME = 32 * 1024;
/** of a step that goes on: from how many values on it is written again */
const nextWritten = new WeakMap<Step, number>();

/**
 * Writes what the agent was given by steps that go on: values of a generator, what a server has sent, chunks of an answer. Called
 * before `by` goes out, and before the record of `by` is written, whose part of the journal says that these values have come: of
 * a process that is killed later, a replay gives them again. Chunks of an answer are written only where `by` is a call of a
 * function, not for each request that is sent beside a stream. A step that has come to more than this thread may read is not written
 * again before it ends.
 */
export function writeValuesSoFar(open: Iterable<Step>, by: Step, run: UnderWay): void {
  const scrubber = run.scrubber();
  if (scrubber === null) return;
  for (const step of open) {
    if (step === by || step.answer.from !== "live") continue;
    const count = valuesOf(step, by);
    if (count < (nextWritten.get(step) ?? 1) || !isUnderWay(step, run) || isLong(step, scrubber)) continue;
    nextWritten.set(step, sizeOf(step) <= WRITTEN_EACH_TIME ? count + 1 : Math.ceil(count * 1.25));
    live(() => guarded("values", undefined, () => run.write(draftSoFar(step, scrubber))));
  }
}

function valuesOf({ exchange: x, call }: Step, by: Step): number {
  if (x === null) return call?.yields?.length ?? 0;
  return x.response === null || by.call === null ? 0 : 1 + x.chunks.length;
}

function sizeOf({ exchange, call }: Step): number {
  const values: readonly { readonly length: number }[] = exchange?.chunks ?? call?.yields ?? [];
  return values.reduce((sum, { length }) => sum + length, 0);
}
