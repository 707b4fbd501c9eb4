import type { StepView } from "./step-view.ts";

/** A step of a tool that has ended well, with the number `step`. */
export function stepView(step: number, given: Partial<StepView> = {}): StepView {
  return {
    step,
    id: "",
    slot: `s${step}`,
    attempt: 0,
    kind: "TOOL",
    name: "x",
    status: "ok",
    error: null,
    start: step,
    settle: step,
    durationMs: 1,
    model: null,
    tokens: null,
    input: null,
    output: null,
    events: null,
    answeredBy: null,
    answer: null,
    depth: 0,
    record: null,
    ...given,
  };
}
