import { within } from "../../run/context.ts";
import { wireWriter } from "./wire-stream.ts";

/** Returns a function that runs in the frame of the code that calls `bindFrame`. */
export function bindFrame<F extends (this: unknown, ...args: never[]) => unknown>(fn: F): F {
  const { frame } = wireWriter();
  if (frame === null) return fn;
  return function (this: unknown, ...args: never[]) {
    return within(frame, () => Reflect.apply(fn, this, args));
  } as F;
}
