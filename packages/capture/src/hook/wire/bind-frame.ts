import { isLive, stepFrame, within } from "../../run/context.ts";

/** Gives back a function that runs in the frame of the code that has called this. */
export function bindFrame<F extends (this: unknown, ...args: never[]) => unknown>(fn: F): F {
  const frame = isLive() ? null : stepFrame();
  if (frame === null) return fn;
  return function (this: unknown, ...args: never[]) {
    return within(frame, () => Reflect.apply(fn, this, args));
  } as F;
}
