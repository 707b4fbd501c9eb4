import type { RunFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";

interface ConnectionStep {
  readonly kind: "DB" | "STEP";
  readonly name: string;
  readonly op: string;
  readonly args: readonly unknown[];
  readonly agentic?: boolean;
  /** it follows what the server sends by itself, while the connection is open: a run that has answered does not wait for it */
  readonly follows?: boolean;
}

/** Runs what a client exchanges with its server over a connection as a step of the run. */
export function connectionStep(
  frame: RunFrame,
  { kind, name, op, args, agentic = false, follows = false }: ConnectionStep,
  body: () => unknown,
): unknown {
  const { run, path } = frame;
  return callStep(
    frame,
    {
      start: { kind, name, op, path, agentic, ...(follows && { idleMs: () => 0 }) },
      inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      writesYields: true,
    },
    args,
    body,
  );
}
