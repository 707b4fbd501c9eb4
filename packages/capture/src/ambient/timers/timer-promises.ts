import { EventEmitter, on } from "node:events";
import timersPromises from "node:timers/promises";
import { type RunFrame, here } from "../../run/context.ts";
import { inPlaceOf } from "../../patch/node-frames.ts";
import { originals } from "../../patch/originals.ts";
import { withRoom } from "../../patch/stack-room.ts";
import { learnCancelled } from "./timer-frames.ts";
import { GatedTimer } from "./gated-timer.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";
import { prototypeOf } from "../../patch/prototype-of.ts";

interface Options {
  signal?: AbortSignal;
  ref?: boolean;
}

type Later = (delay?: number, value?: unknown, options?: Options) => Promise<unknown>;
type LaterImmediate = (value?: unknown, options?: Options) => Promise<unknown>;
type Every = (delay?: number, value?: unknown, options?: Options) => AsyncIterator<unknown>;

/** Patches `node:timers/promises`; `util.promisify` finds these functions through it. Bad or aborted calls go to Node. */
export function installTimerPromises(): () => void {
  const scheduler = prototypeOf(timersPromises.scheduler);
  return undoAll([
    replaceMethod<Later>(timersPromises, "setTimeout", (real) => (delay, value, options) => {
      const frame = here();
      if (frame === null || !isPlain(delay, options)) return real(delay, value, options);
      return wait(frame, "Timeout", delay, value, options);
    }),
    replaceMethod<LaterImmediate>(timersPromises, "setImmediate", (real) => (value, options) => {
      const frame = here();
      if (frame === null || !isPlain(0, options)) return real(value, options);
      return wait(frame, "Immediate", 0, value, options);
    }),
    replaceMethod<Every>(
      timersPromises,
      "setInterval",
      (real) => (delay, value, options) =>
        here() === null || !isPlain(delay, options) ? real(delay, value, options) : every(delay, value, options),
    ),
    replaceMethod<(delay: number, options?: Options) => Promise<unknown>>(
      scheduler,
      "wait",
      (real) =>
        function wait_(this: unknown, delay, options) {
          const frame = here();
          if (frame === null || this !== timersPromises.scheduler || !isPlain(delay, options))
            return Reflect.apply(real, this, [delay, options]);
          return wait(frame, "Timeout", delay, undefined, options);
        },
    ),
    replaceMethod<() => Promise<unknown>>(
      scheduler,
      "yield",
      (real) =>
        function yield_(this: unknown) {
          const frame = here();
          if (frame === null || this !== timersPromises.scheduler) return Reflect.apply(real, this, []);
          return wait(frame, "Immediate", 0, undefined, undefined);
        },
    ),
  ]);
}

function isPlain(delay: unknown, options: unknown): options is Options | undefined {
  if (delay !== undefined && typeof delay !== "number") return false;
  if (options === undefined) return true;
  if (typeof options !== "object" || options === null || Array.isArray(options)) return false;
  const { signal, ref }: { signal?: unknown; ref?: unknown } = options;
  if (ref !== undefined && typeof ref !== "boolean") return false;
  return signal === undefined || (signal instanceof AbortSignal && !signal.aborted);
}

const cancelled = { Timeout: inPlaceOf("Timeout cancelled"), Immediate: inPlaceOf("Immediate cancelled") };

function wait(
  frame: RunFrame,
  type: "Timeout" | "Immediate",
  delay: number | undefined,
  value: unknown,
  options: Options | undefined,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = new GatedTimer(frame, { type, delay, repeat: false, callback: () => resolve(value) });
  if (options?.ref === false) timer.setReferenced(false);
  const signal = options?.signal;
  if (signal === undefined) return promise;
  learnCancelled(type);
  const onAbort = (): void => {
    timer.clear();
    reject(cancelled[type](abortError, undefined, [signal]));
  };
  signal.addEventListener("abort", onAbort);
  return promise.finally(() => signal.removeEventListener("abort", onAbort));
}

/** The same steps as Node's own generator, over a timer of the run. */
async function* every(
  delay: number | undefined,
  value: unknown,
  options: Options | undefined,
): AsyncGenerator<unknown> {
  const signal = options?.signal;
  const frame = here();
  if (signal !== undefined && signal.aborted) throw abortError(signal);
  // the iterator was kept until after the run
  if (frame === null) return yield* originals.timersPromises.setInterval(delay, value, options);
  let owed = 0;
  let wake: ((failed?: Promise<never>) => void) | undefined;
  const timer = new GatedTimer(frame, {
    type: "Timeout",
    delay,
    repeat: true,
    callback() {
      owed++;
      wake?.();
      wake = undefined;
    },
  });
  if (options?.ref === false) timer.setReferenced(false);
  const onAbort = (): void => {
    timer.clear();
    wake?.(Promise.reject(abortError(signal as AbortSignal)));
    wake = undefined;
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      if (signal !== undefined && signal.aborted) throw abortError(signal);
      if (owed === 0) await new Promise<unknown>((resolve) => (wake = resolve));
      for (; owed > 0; owed--) yield value;
    }
  } finally {
    timer.clear();
    signal?.removeEventListener("abort", onAbort);
  }
}

type AbortErrorClass = new (message?: string, options?: ErrorOptions) => Error;

/** Node's own class, which it does not export, taken from an error that it throws. */
const AbortError: AbortErrorClass = (() => {
  try {
    on(new EventEmitter(), "never", { signal: AbortSignal.abort() });
  } catch (error) {
    return (error as Error).constructor as AbortErrorClass;
  }
  throw new Error("an aborted signal was accepted");
})();

function abortError(signal: AbortSignal): Error {
  return withRoom(() => new AbortError(undefined, { cause: signal.reason }));
}
