import type { JournalPart } from "@reenact/envelope";
import { placeOf } from "./draft-step.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { StepFacts } from "../run/sink.ts";
import type { Step } from "./step.ts";

/** What is written of a step when it starts, redacted. `journal`: what has come to that of its run. */
export function stepFacts(run: string, step: Step, scrubber: Scrubber | null, journal: JournalPart | null): StepFacts {
  return {
    run,
    step: step.index,
    spanId: step.spanId,
    parentSpanId: step.parentSpanId,
    kind: step.kind,
    // the agent is about to go on: what is not known yet stands in the request and in the whole step
    ...(scrubber === null ? { op: step.kind, path: "", name: step.kind } : placeOf(step, scrubber, { waits: false })),
    n: step.n,
    attempt: step.attempt,
    under: step.under,
    order: { start: step.startPosition },
    started: step.started,
    ...(journal !== null && journal.events !== "" && { journal }),
  };
}
