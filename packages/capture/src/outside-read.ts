import { effectFrame } from "./context.ts";
import { callStep } from "./function-step.ts";

/** Records any other read of the outside (a file, a queue, a cache): `fn` runs once, a replay serves its outcome. */
export function step<T>(name: string, fn: () => T): T {
  const frame = effectFrame();
  if (frame === null) return fn();
  return callStep(
    frame,
    {
      start: { kind: "STEP", name, op: `step:${name}`, path: frame.path, agentic: false },
      inner: (s) => ({ run: frame.run, path: frame.path, scope: s.index, span: s.spanId, asks: null, outer: frame }),
      source: Function.prototype.toString.call(fn),
    },
    [],
    fn,
  ) as T;
}
