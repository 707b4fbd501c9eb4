import { guarded, warnOnce } from "../fault/faults.ts";
import { noteReceiver, runJob } from "../inbound/inbound-job.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { recorder } from "../run/recorder.ts";
import type { AnyFunction } from "./hooked-file.ts";
import type { JobTaker } from "./job-taker.ts";
import type { HookState } from "./tool-step.ts";
import { watchCall } from "./watch-job-service.ts";

/** Makes each job that a function of the program gets, which it has given to an instance of this class, a run. */
export function watchJobTaker(
  { prototype }: { prototype: object },
  taker: JobTaker,
  state: HookState,
  undos: (() => void)[],
): void {
  const { by, takes } = taker;
  if (typeof Reflect.get(prototype, takes) !== "function")
    return warnOnce(`jobs:${by}`, `jobs of ${by} are not recorded: its code is another one than the recorder knows`);
  /** The arguments with the function watched; null: they name no jobs that are recorded. */
  const watched = (args: readonly unknown[]): readonly unknown[] | null => {
    const held = taker.held(args);
    if (held === null) return null;
    const from = taker.from(args);
    if (from === null) {
      warnOnce(`jobs-elsewhere:${by}`, `${by}: ${taker.whyNot}`);
      return null;
    }
    const carryOut = watchedFunction(held.run, from, taker, state);
    noteReceiver({ by, from, deliver: (job) => Reflect.apply(carryOut, undefined, taker.given(job)) });
    return held.with(carryOut);
  };
  undos.push(
    replaceMethod<AnyFunction>(prototype, takes, (real) => {
      return function (this: unknown, ...args) {
        if (!state.active) return Reflect.apply(real, this, args);
        const given = guarded("hook", null, () => watched(args)) ?? args;
        return recorder.isReplay ? Promise.resolve(taker.taken()) : Reflect.apply(real, this, given);
      };
    }),
  );
}

function watchedFunction(real: AnyFunction, from: string, taker: JobTaker, state: HookState): AnyFunction {
  return copyFunctionProperties(function (this: unknown, ...args: unknown[]): unknown {
    const given = guarded("hook", args, () => taker.bound?.(args, watchCall(state)) ?? args);
    const carryOut = (): unknown => Reflect.apply(real, this, state.active ? given : args);
    if (!state.active) return carryOut();
    return runJob(() => ({ by: taker.by, from, ...taker.read(args) }), carryOut);
  }, real);
}
