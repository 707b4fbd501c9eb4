import { type JobReceiver, noteReceiver, runJob } from "../inbound/inbound-job.ts";
import { guarded, warnOnce } from "../fault/faults.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { recorder } from "../run/recorder.ts";
import type { AnyFunction } from "./hooked-file.ts";
import type { JobSource } from "./job-source.ts";
import type { HookState } from "./tool-step.ts";

/** Makes each job that the instances of a class hand to the program a run. */
export function watchJobs(
  { prototype }: { prototype: object },
  source: JobSource,
  state: HookState,
  undos: (() => void)[],
): void {
  const { by, begins, carriesOut } = source;
  const methods = source.isOwn === true ? [begins] : [begins, carriesOut];
  if (!methods.every((method) => typeof Reflect.get(prototype, method) === "function"))
    return warnOnce(`jobs:${by}`, `jobs of ${by} are not recorded: its code is another one than the recorder knows`);
  const known = new WeakSet<object>();
  const note = (instance: object): void => {
    if (known.has(instance)) return;
    known.add(instance);
    const from = source.from(instance);
    if (from === null)
      return warnOnce(
        `jobs-elsewhere:${by}`,
        `${by}: jobs that are carried out in processes or threads of their own are no runs of their own`,
      );
    const own = source.carriedOutBy?.(instance) ?? carriesOut;
    const receiver: JobReceiver = {
      by,
      from,
      deliver: (job) => {
        const method: unknown = Reflect.get(instance, own);
        return Reflect.apply(method as AnyFunction, instance, source.given(job, instance));
      },
    };
    noteReceiver(receiver);
    const real: unknown = source.isOwn === true ? Reflect.get(instance, own) : undefined;
    if (typeof real === "function") Reflect.set(instance, own, watched(real as AnyFunction, instance));
  };
  /** `holder`: the instance, where the function may be called on another object */
  const watched = (real: AnyFunction, holder: object | null): AnyFunction =>
    copyFunctionProperties(function (this: unknown, ...args: unknown[]): unknown {
      const carryOut = (): unknown => Reflect.apply(real, this, args);
      if (!state.active) return carryOut();
      const instance = holder ?? (this as object);
      return runJob(() => {
        const from = source.from(instance);
        const job = from === null ? null : source.read(args, instance);
        return from === null || job === null ? null : { by, from, ...job };
      }, carryOut);
    }, real);
  undos.push(
    replaceMethod<AnyFunction>(prototype, begins, (real) => {
      return function (this: unknown, ...args) {
        if (state.active) guarded("hook", undefined, () => note(this as object));
        const result = Reflect.apply(real, this, args);
        if (state.active && recorder.deliversJobs) guarded("hook", undefined, () => source.still?.(this as object));
        return result;
      };
    }),
  );
  if (source.isOwn !== true)
    undos.push(replaceMethod<AnyFunction>(prototype, carriesOut, (real) => watched(real, null)));
}
