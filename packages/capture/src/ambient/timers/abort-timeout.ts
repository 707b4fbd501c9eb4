import { here } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { GatedTimer } from "./gated-timer.ts";
import { inPlaceOf } from "../../patch/node-frames.ts";
import { watchTimers } from "./timer-frames.ts";
import { replaceMethod } from "../../patch/replace-method.ts";

const asTimeout = inPlaceOf("AbortSignal.timeout");

/** Patches `AbortSignal.timeout`: inside a run it is a controller over an unreferenced timer of the run. */
export function installAbortTimeout(): () => void {
  return replaceMethod<(delay: number) => AbortSignal>(AbortSignal, "timeout", (real) => {
    guarded("stacks", undefined, () => watchTimers((ms) => Reflect.apply(real, AbortSignal, [ms])));
    return function timeout(this: unknown, delay) {
      const frame = here();
      if (frame === null || !Number.isInteger(delay) || delay < 0 || delay > 2 ** 32 - 1)
        return Reflect.apply(real, this, [delay]);
      const controller = new AbortController();
      const callback = (): void => controller.abort(asTimeout(timedOut, undefined, []));
      const what = "AbortSignal.timeout";
      new GatedTimer(frame, { type: "Timeout", delay, repeat: false, callback, what }).setReferenced(false);
      return controller.signal;
    };
  });
}

const timedOut = (): DOMException => new DOMException("The operation was aborted due to timeout", "TimeoutError");
