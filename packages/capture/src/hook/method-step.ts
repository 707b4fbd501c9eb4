import { replaceMethod } from "../patch/replace-method.ts";
import { stepFrame } from "../run/context.ts";
import { guarded } from "../guard.ts";
import { callTool } from "../api/tool-call.ts";
import type { MethodStep } from "./hook.ts";

type Method = (this: object, ...args: unknown[]) => unknown;

/** Makes a method of a class a step. Once undone, or outside of a run, calls go straight to the method. */
export function watchMethod({ prototype }: { prototype: object }, step: MethodStep, undos: (() => void)[]): void {
  const shadows = new WeakSet<object>();
  const state = { active: true };
  const shadow = (instance: object): void => {
    const before = Object.getOwnPropertyDescriptor(instance, step.method);
    if (before !== undefined && shadows.has(before.value as object)) return;
    const own: unknown = before?.value;
    const real = (): Method =>
      (own ?? Reflect.get(Object.getPrototypeOf(instance) as object, step.method, instance)) as Method;
    const watched = function (this: object, ...args: unknown[]): unknown {
      const body = (): unknown => Reflect.apply(real(), this, args);
      const frame = state.active ? stepFrame() : null;
      if (frame === null) return body();
      const id = step.callId(args);
      return callTool(frame, {
        by: "hook",
        name: step.name(instance),
        source: step.body(instance),
        args: step.args(args),
        body,
        ...(id === undefined ? {} : { id }),
      });
    };
    shadows.add(watched);
    Object.defineProperty(instance, step.method, { value: watched, configurable: true, writable: true });
  };
  undos.push(
    replaceMethod<Method>(prototype, step.within, (real) => {
      return function (this: object, ...args) {
        if (state.active) guarded("hook", undefined, () => shadow(this));
        return Reflect.apply(real, this, args);
      };
    }),
    () => {
      state.active = false;
    },
  );
}
