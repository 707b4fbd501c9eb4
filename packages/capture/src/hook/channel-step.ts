import type { RunFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";

interface ChannelOptions {
  /** what the operation of the step begins with */
  readonly protocol: string;
  readonly agentic?: boolean;
  /** it follows what the server sends by itself, for as long as its run: a run that has answered does not wait for it */
  readonly follows?: boolean;
}

/** Runs what a client exchanges with its server as a step of its method. */
export function channelStep(
  frame: RunFrame,
  method: string,
  args: readonly unknown[],
  body: () => unknown,
  { protocol, agentic = false, follows = false }: ChannelOptions = { protocol: "mcp" },
): unknown {
  const { run, path } = frame;
  return callStep(
    frame,
    {
      start: {
        kind: "STEP",
        name: method,
        op: `${protocol}:${method}`,
        path,
        agentic,
        ...(follows && { idleMs: () => 0 }),
      },
      inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
      source: null,
      writesYields: true,
    },
    args,
    body,
  );
}
