import { type RecordedStep, slotOf, type Tape } from "../tape/tape.ts";
import { shortValue } from "../tape/short-value.ts";
import { listed } from "../verdict/listed.ts";
import type { ContinuedCall } from "./continuation.ts";
import { placeholders } from "./unsendable.ts";
import { viewOfStep } from "./view-of-step.ts";

const MOST_NAMED = 3;

interface Drift {
  readonly step: string;
  readonly recorded: string;
  readonly now: string;
}

/**
 * Live calls that another model answered than the recorded call that asked for the same model, in words; calls with the same
 * two models share a text. A call that itself asks for another model has not drifted.
 */
export function modelDrift(calls: readonly ContinuedCall[], tape: Tape): string[] {
  const drifts = calls.flatMap((call) => driftOf(call, calls, tape) ?? []);
  return [...Map.groupBy(drifts, ({ recorded, now }) => JSON.stringify([recorded, now])).values()].map((alike) => {
    const [{ recorded, now } = { recorded: "", now: "" }] = alike;
    const steps = listed([...new Set(alike.map(({ step }) => step))], MOST_NAMED);
    return `${steps}: answered by model ${shortValue(now)}, and by ${shortValue(recorded)} when recorded`;
  });
}

function driftOf(call: ContinuedCall, calls: readonly ContinuedCall[], tape: Tape): Drift | null {
  const { step, answer } = call;
  if (step.operation === null || (answer !== "live" && answer !== "edited")) return null;
  const { asked, answered: now } = viewOfStep(step)?.model ?? {};
  if (now === undefined) return null;
  const recorded = attemptsOf(call, calls, tape).flatMap(({ record: { model } }) =>
    model?.asked === asked && model?.answered !== undefined ? [model.answered] : [],
  );
  const [first] = recorded;
  // what redaction has replaced cannot be compared
  if (first === undefined || recorded.some((name) => name === now || placeholders(name).length > 0)) return null;
  return { step: `step ${step.index + 1} (${step.op})`, recorded: first, now };
}

/** All attempts of the recorded call: which of them had an answer is not the same in both runs. */
function attemptsOf({ step, recorded }: ContinuedCall, calls: readonly ContinuedCall[], tape: Tape): RecordedStep[] {
  const slot = slotOf(step);
  const first = recorded ?? calls.find((each) => each.recorded !== null && slotOf(each.step) === slot)?.recorded;
  if (!first) return [];
  const sought = slotOf(first.record);
  return tape.ordered.filter(({ record }) => slotOf(record) === sought);
}
