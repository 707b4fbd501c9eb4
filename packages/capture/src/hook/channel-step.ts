import type { RunFrame } from "../run/context.ts";
import { connectionStep } from "./connection-step.ts";

interface ChannelOptions {
  /** what the operation of the step begins with */
  readonly protocol: string;
  readonly agentic?: boolean;
  /** see `connectionStep` */
  readonly follows?: boolean;
}

/** Runs what a client exchanges with its server as a step of its method. */
export function channelStep(
  frame: RunFrame,
  method: string,
  args: readonly unknown[],
  body: () => unknown,
  { protocol, ...options }: ChannelOptions = { protocol: "mcp" },
): unknown {
  return connectionStep(frame, { kind: "STEP", name: method, op: `${protocol}:${method}`, args, ...options }, body);
}
