import { itemsOf } from "../step/step-items.ts";
import type { StepView } from "../step/step-view.ts";

/** What a run was asked, what it answered, and which step is to blame. */
export interface RunOutline {
  /** first text of a user; null: none was recorded */
  readonly question: string | null;
  /** last text of the model; null: it gave none */
  readonly answer: string | null;
  readonly cause: RunCause | null;
}

/** A step that failed. */
export interface RunCause {
  /** number of the step */
  readonly step: number;
  /** the run ended with the error of this step; false: it is only the last step that failed for good */
  readonly certain: boolean;
}

/** `error`: that of the run; null: it did not fail, and no step is to blame. */
export function outlineOf(
  steps: readonly StepView[],
  error: { readonly class: string; readonly message: string } | null,
): RunOutline {
  const calls = steps.filter(({ kind }) => kind === "LLM");
  const first = calls.find(({ input }) => input !== null);
  const question = first && itemsOf(first).input.find(({ is, role }) => is === "text" && role === "user");
  const last = calls.findLast(({ status, output }) => status !== "error" && output !== null);
  const answer = last && itemsOf(last).output.findLast(({ is, role }) => is === "text" && role === "assistant");
  return {
    question: question?.text ?? null,
    answer: answer?.text ?? null,
    cause: error === null ? null : causeOf(steps, error.message),
  };
}

/** A failed attempt that was repeated is no cause. */
function causeOf(steps: readonly StepView[], message: string): RunCause | null {
  const repeated = new Set(steps.filter(({ attempt }) => attempt > 0).map(({ slot, attempt }) => `${slot} ${attempt}`));
  const failed = steps.filter(
    ({ status, slot, attempt }) => status === "error" && !(slot !== "" && repeated.has(`${slot} ${attempt + 1}`)),
  );
  const same = failed.findLast(({ error }) => error !== null && error !== "" && message.includes(error));
  const found = same ?? failed.at(-1);
  return found ? { step: found.step, certain: same !== undefined } : null;
}
