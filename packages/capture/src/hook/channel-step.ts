import type { RunFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";

/** Runs what a client exchanges with its server as a step of its method. */
export function channelStep(frame: RunFrame, method: string, args: readonly unknown[], body: () => unknown): unknown {
  const { run, path } = frame;
  return callStep(
    frame,
    {
      start: { kind: "STEP", name: method, op: `mcp:${method}`, path, agentic: false },
      inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      writesYields: true,
    },
    args,
    body,
  );
}
