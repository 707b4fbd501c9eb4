import { effectFrame } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";

/**
 * Records the result of a function that reads something from outside the program: a queue, a cache, a device. A replay
 * returns the recorded result and does not run the function.
 *
 * @param name names the step
 * @param fn a plain or asynchronous function
 * @returns what `fn` returns
 */
export function step<T>(name: string, fn: () => T): T {
  const frame = effectFrame();
  if (frame === null) return fn();
  return callStep(
    frame,
    {
      start: { kind: "STEP", name, op: `step:${name}`, path: frame.path, agentic: false },
      inner: (s) => ({
        run: frame.run,
        path: frame.path,
        scope: s.index,
        span: s.spanId,
        pendingToolCalls: null,
        outer: frame,
      }),
      source: Function.prototype.toString.call(fn),
    },
    [],
    fn,
  ) as T;
}
