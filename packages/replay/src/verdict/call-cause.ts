import { type Blame, placeOf } from "../match/blame.ts";
import { stepName } from "../tape/call-name.ts";
import type { RecordedStep, Tape } from "../tape/tape.ts";
import { decisionCause } from "./decision-cause.ts";
import type { CallVerdict } from "./verdict.ts";

/** In words: why a call is not what was recorded. */
export function causeOf(tape: Tape, step: RecordedStep, verdict: CallVerdict, difference: Blame | null): string {
  const where = difference === null ? "" : ` at ${placeOf(difference)}`;
  const what = decisionCause(tape, step, difference) ?? whatDiffers(step, verdict, where);
  return !difference?.why ? what : `${what}; ${difference.why}`;
}

function whatDiffers(step: RecordedStep, verdict: CallVerdict, where: string): string {
  switch (verdict) {
    case "system":
      return `request ${step.index + 1} (${step.record.op}) has another system prompt${where}: changed in code or configuration`;
    case "params":
      return `request ${step.index + 1} (${step.record.op}) has other parameters${where}: changed in code or configuration`;
    case "history":
      return `request ${step.index + 1} (${step.record.op}) asks the same after another history${where}`;
    case "reordered":
      return `${stepName(step)} (step ${step.index + 1}) was called before a step that the recorded run called first`;
    case "wrong-tool":
      return `another tool was called than the recorded ${step.record.op}`;
    default:
      return step.record.call === undefined
        ? `request ${step.index + 1} (${step.record.op}) differs${where}`
        : `arguments of ${stepName(step)} (step ${step.index + 1}) differ${where}`;
  }
}

/** In words: a call of `name` where the recorded run called another tool. */
export const causeOfWrongTool = (name: string, recorded: RecordedStep): string =>
  `tool ${name} was called; the recorded run called ${recorded.name} here`;

/** In words: a call without a record. `before`: the recorded step that it was made before; null: there is none left. */
export function causeOfExtra(name: string, before: RecordedStep | null): string {
  if (before === null) return `${name} was called; the recorded run has no such call`;
  const next = `step ${before.index + 1} (${stepName(before)})`;
  return `${name} was called before ${next}; the recorded run has no such call there`;
}
