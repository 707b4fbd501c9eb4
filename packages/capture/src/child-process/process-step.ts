import type { RunFrame } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import { callStep } from "../span/function-step.ts";

/**
 * Runs what a program does with a child as a step. `name`: of the child's program, and of what is done with it. `body` gets the
 * frame of the step. It never runs in a replay, whatever the user lets run there.
 */
export function processStep(
  frame: RunFrame,
  name: string,
  args: readonly unknown[],
  body: (inner: RunFrame) => unknown,
  idleMs?: () => number,
): unknown {
  const { run, path } = frame;
  let inner: RunFrame = frame;
  return callStep(
    frame,
    {
      start: {
        kind: "STEP",
        name,
        op: `process:${name}`,
        path,
        agentic: false,
        ...(idleMs !== undefined && { idleMs }),
      },
      inner: (step) =>
        (inner = { run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      throwsMiss: true,
    },
    args,
    () => {
      if (recorder.isReplay) throw new Error("a replay starts no child process");
      return body(inner);
    },
  );
}
