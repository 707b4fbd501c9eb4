import { callTool } from "../api/tool-call.ts";
import { guarded } from "../fault/faults.ts";
import { stepFrame } from "../run/context.ts";
import { holdTool } from "../run/pending-tool-calls.ts";

/** What a row says of one call of a tool. */
export interface HookedCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly id: string | undefined;
  /** function whose source text tells whether the tool has changed */
  readonly source: unknown;
}

/** What a row's steps share. Once undone, calls go straight to the tools. */
export interface HookState {
  active: boolean;
  /** makes a served error one of the library's class */
  readonly revive: (error: unknown) => unknown;
}

/**
 * Runs a call that a library makes as a step: outside of a run, or where the row cannot read the call, as it is. `describe`
 * is the row's own code, which the agent must not notice.
 */
export function runToolStep(state: HookState, describe: () => HookedCall, body: () => unknown): unknown {
  const frame = state.active ? stepFrame() : null;
  if (frame === null) return body();
  const call = guarded("hook", null, describe);
  if (call === null) return body();
  const { id, ...site } = call;
  holdTool(call.name);
  const revive = (error: unknown): unknown => guarded("hook", error, () => state.revive(error));
  return callTool(frame, { by: "hook", ...site, revive, body, ...(id === undefined ? {} : { id }) });
}
