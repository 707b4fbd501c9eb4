import timers from "node:timers";
import { here, live } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { isToolchain } from "../../leaks/program-loading.ts";
import type { originals } from "../../patch/originals.ts";
import { installAbortTimeout } from "./abort-timeout.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";
import { clearOurImmediate, clearTimer, Immediate, Timeout } from "./timer-object.ts";
import { installTimerPromises } from "./timer-promises.ts";

type Callback = (...args: unknown[]) => unknown;
type SetTimer = (callback: Callback, delay?: unknown, ...args: unknown[]) => unknown;
type SetImmediate = (callback: Callback, ...args: unknown[]) => unknown;
type Clear = (timer: unknown) => void;

/** Patches the timers of `globalThis`, `node:timers` and `node:timers/promises`, and `AbortSignal.timeout`. */
export function installTimers(): () => void {
  const undos = [installTimerPromises(), installAbortTimeout()];
  replace<SetTimer>("setTimeout", (real) => watchTimer(real, false));
  replace<SetTimer>("setInterval", (real) => watchTimer(real, true));
  replace<SetImmediate>("setImmediate", (real) => (callback, ...args) => {
    const frame = here();
    if (frame === null || typeof callback !== "function") return real(callback, ...args);
    if (isToolchain()) return live(() => real(callback, ...args));
    return guarded("timer", null, () => new Immediate(frame, callback, args)) ?? real(callback, ...args);
  });
  const clear =
    (real: Clear): Clear =>
    (timer) => {
      if (!clearTimer(timer)) real(timer);
    };
  replace<Clear>("clearTimeout", clear);
  replace<Clear>("clearInterval", clear);
  replace<Clear>("clearImmediate", (real) => (immediate) => {
    if (!clearOurImmediate(immediate)) real(immediate);
  });
  return undoAll(undos);

  /** One function in both places, as in Node. */
  function replace<F extends (...args: never[]) => unknown>(
    name: keyof typeof timers & keyof typeof originals,
    make: (real: F) => F,
  ): void {
    undos.push(replaceMethod<F>(globalThis, name, make));
    const { [name]: patched } = globalThis as unknown as Record<string, F>;
    undos.push(replaceMethod<F>(timers, name, () => patched as F));
  }
}

function watchTimer(real: SetTimer, repeat: boolean): SetTimer {
  return (callback, delay, ...args) => {
    const frame = here();
    if (frame === null || typeof callback !== "function") return real(callback, delay, ...args);
    if (isToolchain()) return live(() => real(callback, delay, ...args));
    return new Timeout(frame, callback, delay, args, repeat);
  };
}
