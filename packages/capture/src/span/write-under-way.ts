import { live } from "../run/context.ts";
import { draftOfReadRequest, draftSoFar, exchangeSoFar } from "./draft-step.ts";
import type { DraftText, ReadTexts, StepDraft } from "./draft.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { prepareStep } from "./prepare-step.ts";
import { isReadAhead } from "../redact/read-ahead.ts";
import { isLong, readWhole } from "../redact/read-elsewhere.ts";
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

/** of a step that goes on: how many of its values were written */
const writtenValues = new WeakMap<Step, number>();
/** steps that another thread reads as far as they have come */
const withReader = new WeakSet<Step>();

/**
 * Writes what the agent was given by steps that go on: values of a generator, what a server has sent, chunks of an answer. Called
 * before `by` goes out, and before the record of `by` is written, whose part of the journal says that these values have come: of
 * a process that is killed later, a replay gives them again. Chunks of an answer are written only where `by` is a call of a
 * function, not for each request that is sent beside a stream. More than this thread may read is written once another one has
 * read it.
 */
export function writeValuesSoFar(open: Iterable<Step>, by: Step, run: UnderWay): void {
  const scrubber = run.scrubber();
  if (scrubber === null) return;
  for (const step of open) {
    if (step === by || step.answer.from !== "live" || withReader.has(step)) continue;
    const count = valuesOf(step, by);
    if (count <= (writtenValues.get(step) ?? 0) || !isUnderWay(step, run)) continue;
    writtenValues.set(step, count);
    live(() => guarded("values", undefined, () => writeSoFar(step, scrubber, run)));
  }
}

function valuesOf({ exchange: x, call }: Step, by: Step): number {
  if (x === null) return call?.yields?.length ?? 0;
  return x.response === null || by.call === null ? 0 : 1 + x.chunks.length;
}

function writeSoFar(step: Step, scrubber: Scrubber, run: UnderWay): void {
  if (!isLong(step, scrubber)) return run.write(draftSoFar(step, scrubber));
  const { exchange: x } = step;
  const reading = readWhole(step, x === null ? null : exchangeSoFar(x), null, scrubber, x);
  if (reading === null) return;
  withReader.add(step);
  const write = (read: ReadTexts | null): void => {
    withReader.delete(step);
    if (read !== null && isUnderWay(step, run)) run.write(draftOfReadRequest(step, scrubber, read));
  };
  void reading.catch(() => null).then((read) => guarded("values", undefined, () => write(read)));
}
