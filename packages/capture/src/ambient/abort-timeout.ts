import { here } from "../context.ts";
import { GatedTimer } from "./gated-timer.ts";
import { replaceMethod } from "./replace-method.ts";

/** Patches `AbortSignal.timeout`: inside a run it is a controller over an unreferenced timer of the run. */
export function installAbortTimeout(): () => void {
  return replaceMethod<(delay: number) => AbortSignal>(
    AbortSignal,
    "timeout",
    (real) =>
      function timeout(this: unknown, delay) {
        const frame = here();
        if (frame === null || !Number.isInteger(delay) || delay < 0 || delay > 2 ** 32 - 1)
          return Reflect.apply(real, this, [delay]);
        const controller = new AbortController();
        const callback = (): void =>
          controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
        const what = "AbortSignal.timeout";
        new GatedTimer(frame, { type: "Timeout", delay, repeat: false, callback, what }).setReferenced(false);
        return controller.signal;
      },
  );
}
