import { guarded } from "../fault/faults.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import type { AnyFunction, HookedFile } from "./hooked-file.ts";
import type { JobService } from "./job-source.ts";
import type { JobTaker } from "./job-taker.ts";
import type { HookState } from "./tool-step.ts";
import { watchJobService } from "./watch-job-service.ts";
import { watchJobTaker } from "./watch-job-taker.ts";

/** An object that a method of a class makes, where the library has no class for such objects. */
export interface MadeObject {
  readonly method: string;
  /** what it asks of the library's service */
  readonly service: Omit<JobService, keyof HookedFile>;
  /** the method of the object that takes a function for jobs. `given`: the arguments of `method` */
  taker?(given: readonly unknown[]): JobTaker;
}

/** Watches the objects that the methods of a class make. */
export function watchMade(
  { prototype }: { prototype: object },
  rows: readonly MadeObject[],
  state: HookState,
  undos: (() => void)[],
): void {
  for (const { method, service, taker } of rows)
    undos.push(
      replaceMethod<AnyFunction>(prototype, method, (real) => {
        return function (this: unknown, ...args) {
          const made = Reflect.apply(real, this, args);
          if (state.active) guarded("hook", undefined, () => watch(made as object, service, taker?.(args), state));
          return made;
        };
      }),
    );
}

function watch(made: object, service: MadeObject["service"], taker: JobTaker | undefined, state: HookState): void {
  // an object lives as long as the program wants it: nothing is kept to undo it, and the state says that the hook is off
  const undos: (() => void)[] = [];
  const noFile = { packages: [], path: /$^/, value: "" };
  watchJobService({ prototype: made }, { ...noFile, ...service }, state, undos);
  if (taker !== undefined) watchJobTaker({ prototype: made }, taker, state, undos);
}
