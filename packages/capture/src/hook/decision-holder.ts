import { encodeValue } from "@reenact/envelope";
import { guarded } from "../fault/faults.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { roomy } from "../patch/stack-room.ts";
import { holdTool } from "../run/pending-tool-calls.ts";
import { recorder } from "../run/recorder.ts";
import { type Frame, stepFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";
import type { Decision, DecisionHolder } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
import type { HookState } from "./tool-step.ts";

/**
 * What takes the place of a function, or of methods of a class, through which a library learns what a person decided. It runs in a
 * replay too: the decision is the program's own, and a replay compares it with the recorded one.
 */
export function watchDecisions(
  value: unknown,
  holder: DecisionHolder,
  state: HookState,
  undos: (() => void)[],
): unknown {
  const around =
    (method: string) =>
    (real: AnyFunction): AnyFunction =>
      function (this: unknown, ...given) {
        if (state.active) guarded("hook", undefined, () => holder.waiting?.(given).forEach(holdTool));
        let result: unknown;
        try {
          result = Reflect.apply(real, this, given);
        } catch (error) {
          if (state.active && holder.stops === true) guarded("hook", undefined, () => holdPendingCalls(given));
          throw error;
        }
        if (state.active) {
          const decisions = guarded("hook", [], () => holder.decisions?.(given, result, method) ?? []);
          for (const each of decisions) compareOrKeep(each);
        }
        return result;
      };
  const { methods } = holder;
  if (methods !== undefined) {
    const { prototype } = value as { prototype: object };
    for (const method of methods) undos.push(replaceMethod(prototype, method, around(method)));
    return value;
  }
  return typeof value === "function" ? copyFunctionProperties(around("")(roomy(value as AnyFunction)), value) : value;
}

/** What goes wrong as a decision is kept is nothing to the agent. A replay compares it, and what goes wrong there must not look identical. */
function compareOrKeep(decision: Decision): void {
  if (recorder.isReplay) record(decision);
  else guarded("hook", undefined, () => record(decision));
}

/** In a tool a person is asked about that call: the others of the same answer are carried out beside it. */
function holdPendingCalls(asked: readonly unknown[]): void {
  const here = stepFrame();
  for (let frame: Frame | null = here; frame !== null && frame.scope === here?.scope; frame = frame.outer) {
    if (frame.pendingToolCalls === null || frame.pendingToolCalls.size === 0) continue;
    return frame.pendingToolCalls.hold(encodeValue(asked).text);
  }
}

/** Its outcome is among the arguments, which a replay compares; it makes no run agentic, and no tool one with inner steps. */
function record(decision: Decision): void {
  const frame = stepFrame();
  if (frame === null) return;
  const { path } = frame;
  const { name, ...decided } = decision;
  const title = "approved" in decided ? `approval of ${name}` : name;
  callStep(
    frame,
    {
      start: { kind: "INPUT", name: title, op: `decision:${name}`, path, agentic: false },
      inner: () => frame,
      source: null,
      throwsMiss: true,
    },
    [decided],
    () => undefined,
  );
}
