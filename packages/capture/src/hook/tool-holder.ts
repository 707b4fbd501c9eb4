import { guarded } from "../fault/faults.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { roomy } from "../patch/stack-room.ts";
import { holdTool } from "../run/pending-tool-calls.ts";
import type { HeldTool, ToolHolder, WatchTool } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
import { type HookedCall, type HookState, runToolStep } from "./tool-step.ts";

/** What takes the place of a function, or of a method of a class, that holds tools. */
export function watchHolder(value: unknown, holder: ToolHolder, state: HookState, undos: (() => void)[]): unknown {
  const watch: WatchTool = (tool) => watchTool(tool, state);
  const around = (real: AnyFunction): AnyFunction =>
    function (this: unknown, ...given) {
      if (!state.active) return Reflect.apply(real, this, given);
      const args = guarded("hook", given, () => holder.args?.(given, watch) ?? given);
      const result: unknown = Reflect.apply(real, this, args as unknown[]);
      return holder.result === undefined ? result : guarded("hook", result, () => holder.result?.(result, watch));
    };
  const { method } = holder;
  if (method !== undefined) {
    undos.push(replaceMethod((value as { prototype: object }).prototype, method, around));
    return value;
  }
  return typeof value === "function" ? copyFunctionProperties(around(roomy(value as AnyFunction)), value) : value;
}

function watchTool(tool: HeldTool, state: HookState): AnyFunction {
  const { run } = tool;
  holdTool(tool.name);
  const watched = function (this: unknown, ...given: unknown[]): unknown {
    const describe = (): HookedCall => ({
      name: tool.name,
      args: tool.args === undefined ? given.slice(0, 1) : tool.args(given),
      id: tool.callId?.(given),
      source: tool.source ?? run,
    });
    return runToolStep(state, describe, () => Reflect.apply(run, "self" in tool ? tool.self : this, given));
  };
  return copyFunctionProperties(watched, run);
}
