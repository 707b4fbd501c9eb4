import type { Step } from "@reenact/capture/recorder";
import type { Waypoint } from "../tape/journal-tape.ts";
import { stepBehind } from "../gate/order-cause.ts";
import { type RecordedStep, slotOf } from "../tape/tape.ts";
import type { Ledger } from "./ledger.ts";

/** A call of this run and the recorded one that stands for it. */
export interface MatchedCall {
  readonly step: RecordedStep;
  readonly now: Step;
}

/** Reports a call that this run waits for and the recorded run had given up before the step that comes next. */
export function reportNotGivenUp(ledger: Ledger, calls: Iterable<MatchedCall>, expected: Waypoint | null): void {
  if (expected === null) return;
  const next = expected.k === "s" ? ledger.tape.steps.get(expected.id) : stepBehind(expected, ledger);
  if (next?.started === undefined) return;
  for (const { step, now } of calls) {
    const isGivenUp = step.record.exchange?.end === "aborted" && step.record.order.settle === undefined;
    if (!isGivenUp || now.state !== "open" || step.ended === undefined || step.ended > next.started) continue;
    const cause = `the recorded run gave up ${step.record.op} (step ${step.index + 1}) before its answer came; this run waits for it`;
    return ledger.diverged(step.index + 1, slotOf(step.record), "unfinished", null, cause);
  }
}
