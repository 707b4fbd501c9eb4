import { live, type RunFrame, within } from "../../run/context.ts";
import { orderedTurn } from "../../ambient/operations/ordered-turn.ts";
import type { Callable } from "./wire-driver.ts";
import { wireWriter } from "./wire-stream.ts";

/** Returns a function that runs in the frame of the code that calls `bindFrame`. */
export function bindFrame<F extends Callable>(fn: F): F {
  const { frame, isOwn } = wireWriter();
  if (isOwn) return asOwnWork(fn);
  return frame === null ? fn : inFrame(frame, fn);
}

/**
 * For what waits in a queue that several runs of a process share: also makes the moment at which its turn comes an event of
 * its run, unless that is at once. Another run decides it, which a replay does not have: there it comes at its recorded place.
 * Where the function is put off so, it returns undefined, and `later` is told what it returns then.
 */
export function bindTurn<F extends Callable>(fn: F, later: (result: unknown) => void = () => {}): F {
  const { frame } = wireWriter();
  if (frame === null) return fn;
  const bound = inFrame(frame, fn);
  const take = orderedTurn(frame);
  return function (this: unknown, ...args: never[]) {
    return take(() => Reflect.apply(bound, this, args), later);
  } as F;
}

function asOwnWork<F extends Callable>(fn: F): F {
  return function (this: unknown, ...args: never[]) {
    return live(() => Reflect.apply(fn, this, args));
  } as F;
}

function inFrame<F extends Callable>(frame: RunFrame, fn: F): F {
  return function (this: unknown, ...args: never[]) {
    return within(frame, () => Reflect.apply(fn, this, args));
  } as F;
}
