import type { RunFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";

/** Runs what a program does with a child as a step. `name`: of the child's program, and of what is done with it. */
export function processStep(frame: RunFrame, name: string, args: readonly unknown[], body: () => unknown): unknown {
  const { run, path } = frame;
  return callStep(
    frame,
    {
      start: { kind: "STEP", name, op: `process:${name}`, path, agentic: false },
      inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      throwsMiss: true,
    },
    args,
    body,
  );
}
