import { findPendingCall, findPendingCallById } from "../run/find-pending-call.ts";
import type { RunFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";
import { discriminator, join } from "../run/path.ts";

export interface ToolCallSite {
  /** a function that the user has wrapped, or a hook in a framework */
  readonly by: "tool" | "hook";
  readonly name: string;
  /** function whose source text tells whether the tool has changed */
  readonly source: unknown;
  readonly args: readonly unknown[];
  /** id of the model's tool call, where the framework knows it */
  readonly id?: string;
  /** makes a served error one of the framework's class */
  readonly revive?: (error: unknown) => unknown;
  readonly body: () => unknown;
}

/**
 * Runs a call of a tool as a step. Its path segment holds its name and the place in the model's answer that asked for it. A
 * tool that is both wrapped and called through a framework's hook is one step: the outer one.
 */
export function callTool(frame: RunFrame, { by, name, source, args, id, revive, body }: ToolCallSite): unknown {
  const { run } = frame;
  const outer = frame.tool;
  if (outer !== undefined && outer.name === name && outer.by !== by && !outer.entered) {
    outer.entered = true;
    return body();
  }
  const place = (id === undefined ? null : findPendingCallById(frame, id)) ?? findPendingCall(frame, name, args);
  const label = `tool:${discriminator(name)}`;
  const segment = `${label}#${place ?? run.occurrences.next(frame.path, label)}`;
  const path = join(frame.path, segment);
  return callStep(
    frame,
    {
      start: { kind: "TOOL", name, op: `tool:${name}`, path, agentic: true, asked: place !== null },
      inner: (step) => ({
        run,
        path,
        scope: step.index,
        span: step.spanId,
        pendingToolCalls: run.newPendingToolCalls(),
        outer: frame,
        tool: { name, by, entered: false },
      }),
      source: typeof source === "function" ? Function.prototype.toString.call(source) : null,
      ...(revive === undefined ? {} : { revive }),
    },
    args,
    body,
  );
}
