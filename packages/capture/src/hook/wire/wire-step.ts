import type { RunFrame } from "../../run/context.ts";
import { callStep } from "../../span/function-step.ts";

interface WireStep {
  /** of the database, as in the operation of the step */
  readonly system: string;
  readonly name: string;
  readonly args: readonly unknown[];
  /** it follows what the server sends by itself, while the connection is open: a run that has answered does not wait for it */
  readonly follows?: true;
}

/** Runs what a client exchanges with a database as a step of the run. */
export function wireStep(frame: RunFrame, { system, name, args, follows }: WireStep, body: () => unknown): unknown {
  const { run, path } = frame;
  return callStep(
    frame,
    {
      start: { kind: "DB", name, op: `db:${system}`, path, agentic: false, ...(follows && { idleMs: () => 0 }) },
      inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      writesYields: true,
    },
    args,
    body,
  );
}
