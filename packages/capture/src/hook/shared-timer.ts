import { AsyncLocalStorage } from "node:async_hooks";
import { live } from "../run/context.ts";
import type { HookState } from "./tool-step.ts";

/**
 * Gives what takes the place of `globalThis[name]`, a timer function, in a module that waits once for several callers. That no
 * run has it as an event of its own: it may be that of another run. The callback runs in the context of who has called.
 */
export function sharedTimer(name: "setImmediate", state: HookState): typeof setImmediate {
  const set = (callback: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    if (!state.active) return globalThis[name](callback, ...args);
    const inContext = AsyncLocalStorage.snapshot();
    return live(() => globalThis[name](() => inContext(callback, ...args)));
  };
  return set as typeof setImmediate;
}
