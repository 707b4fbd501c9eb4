import { live } from "./context.ts";
import type { StepDraft } from "./draft.ts";
import { draftRequest } from "./draft-step.ts";
import { guarded } from "./guard.ts";
import { originals } from "./originals.ts";
import { prepareRequest } from "./prepare-step.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Step } from "./step.ts";

interface Parts {
  /** null: no request is written */
  scrubber(): Scrubber | null;
  isUnderWay(): boolean;
  write(draft: StepDraft): void;
}

/** Writes the request of a step in a turn of the recorder, once it is scanned, if the step still goes on. */
export function writeRequestLater(step: Step, parts: Parts): void {
  live(() =>
    originals.setImmediate(() => {
      const scrubber = parts.scrubber();
      if (scrubber === null || !parts.isUnderWay()) return;
      const write = (): void => {
        if (parts.isUnderWay()) parts.write(draftRequest(step, scrubber));
      };
      guarded("request", undefined, () => {
        const wait = prepareRequest(step, scrubber);
        if (wait === null) write();
        else void wait.then(() => guarded("request", undefined, write));
      });
    }),
  );
}
