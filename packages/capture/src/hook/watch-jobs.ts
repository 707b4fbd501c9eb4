import { type JobReceiver, noteReceiver, runJob } from "../inbound/inbound-job.ts";
import { guarded, warnOnce } from "../fault/faults.ts";
import { replaceMethod } from "../patch/replace-method.ts";
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
  if (![begins, carriesOut].every((method) => typeof Reflect.get(prototype, method) === "function"))
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
    const receiver: JobReceiver = {
      by,
      from,
      deliver: (job) => {
        const method: unknown = Reflect.get(instance, carriesOut);
        return Reflect.apply(method as AnyFunction, instance, source.given(job, instance));
      },
    };
    noteReceiver(receiver);
  };
  undos.push(
    replaceMethod<AnyFunction>(prototype, begins, (real) => {
      return function (this: unknown, ...args) {
        if (state.active) guarded("hook", undefined, () => note(this as object));
        return Reflect.apply(real, this, args);
      };
    }),
    replaceMethod<AnyFunction>(prototype, carriesOut, (real) => {
      return function (this: unknown, ...args) {
        const carryOut = (): unknown => Reflect.apply(real, this, args);
        if (!state.active) return carryOut();
        const instance = this as object;
        return runJob(() => {
          const from = source.from(instance);
          const job = from === null ? null : source.read(args, instance);
          return from === null || job === null ? null : { by, from, ...job };
        }, carryOut);
      };
    }),
  );
}
