import { AsyncLocalStorage } from "node:async_hooks";
import { live } from "../run/context.ts";
import type { HookState } from "./tool-step.ts";

/**
 * Returns a replacement of the timer function `globalThis[name]` for a module that sets one timer for several callers. No run
 * records that timer: its callers may belong to several runs. The callback runs in the async context of the code that set it.
 */
export function sharedTimer(name: "setImmediate", state: HookState): typeof setImmediate {
  const set = (callback: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    if (!state.active) return globalThis[name](callback, ...args);
    const inContext = AsyncLocalStorage.snapshot();
    return live(() => globalThis[name](() => inContext(callback, ...args)));
  };
  return set as typeof setImmediate;
}
