import { replaceMethod } from "../patch/replace-method.ts";
import { guarded } from "../fault/faults.ts";
import type { MethodStep } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
import { type HookState, runToolStep } from "./tool-step.ts";

/** Makes a method of a class a step. */
export function watchMethod(
  { prototype }: { prototype: object },
  step: MethodStep,
  state: HookState,
  undos: (() => void)[],
): void {
  const shadows = new WeakSet<object>();
  const shadow = (instance: object): void => {
    const before = Object.getOwnPropertyDescriptor(instance, step.method);
    if (before !== undefined && shadows.has(before.value as object)) return;
    const own: unknown = before?.value;
    const real = (): AnyFunction =>
      (own ?? Reflect.get(Object.getPrototypeOf(instance) as object, step.method, instance)) as AnyFunction;
    const watched = function (this: object, ...args: unknown[]): unknown {
      return runToolStep(
        state,
        () => ({
          name: step.name(instance),
          args: step.args(args),
          id: step.callId(args),
          source: step.body(instance),
        }),
        () => Reflect.apply(real(), this, args),
      );
    };
    shadows.add(watched);
    Object.defineProperty(instance, step.method, { value: watched, configurable: true, writable: true });
  };
  undos.push(
    replaceMethod<AnyFunction>(prototype, step.within, (real) => {
      return function (this: unknown, ...args) {
        if (state.active) guarded("hook", undefined, () => shadow(this as object));
        return Reflect.apply(real, this, args);
      };
    }),
  );
}
