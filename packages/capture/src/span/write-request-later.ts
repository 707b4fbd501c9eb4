import { live } from "../run/context.ts";
import type { DraftText, StepDraft } from "./draft.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { prepareStep } from "./prepare-step.ts";
import { draftOfRequest } from "../redact/read-later.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Step } from "./step.ts";

interface Parts {
  /** null: no request is written */
  scrubber(): Scrubber | null;
  isUnderWay(): boolean;
  write(draft: StepDraft<DraftText>): void;
}

/** Writes the request of a step in a turn of the recorder, once it is scanned, if the step still goes on. */
export function writeRequestLater(step: Step, parts: Parts): void {
  live(() =>
    originals.setImmediate(() => {
      const scrubber = parts.scrubber();
      if (scrubber === null || !parts.isUnderWay()) return;
      const write = (draft: StepDraft<DraftText> | null): void => {
        if (draft !== null && parts.isUnderWay()) parts.write(draft);
      };
      const read = (): void => {
        if (!parts.isUnderWay()) return;
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
