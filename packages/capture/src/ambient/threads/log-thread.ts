import { AsyncResource } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { type RunFrame, here, live } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { comingByTurns } from "./coming-by-turns.ts";
import { orderedCompletion } from "../operations/ordered-completion.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The thread of pino's transports (`thread-stream`), where it lies in its package and where bundlers put it. */
const LOG_THREAD = /(?:[/\\]thread-stream[/\\]lib[/\\]worker|[/\\]thread-stream-worker[\w.-]*)\.[cm]?js$/;
/** They come once each; `drain` comes as often as the thread is slow. */
const ONCE = new Set(["ready", "finish", "close", "error"]);

export function isLogThread(file: unknown): boolean {
  return LOG_THREAD.test(file instanceof URL ? file.pathname : String(file));
}

/**
 * A logger's stream into a thread looks into shared memory how far that one is, and sets timers by it: other ones in
 * every run. So its work is not recorded, and only its events for the agent are gated.
 */
export function letLogThreadRun(worker: Worker, frame: RunFrame): void {
  Object.defineProperty(worker, "stream", {
    configurable: true,
    enumerable: true,
    get: () => undefined,
    // the stream gives itself to its thread while it is made
    set(value: { deref?(): object | undefined } | undefined) {
      Object.defineProperty(worker, "stream", { value, writable: true, configurable: true, enumerable: true });
      guarded("workers", undefined, () => {
        const stream = value?.deref?.();
        if (stream !== undefined) letStreamRun(stream as EventEmitter, frame);
      });
    },
  });
}

function letStreamRun(stream: EventEmitter, frame: RunFrame): void {
  const maker = new AsyncResource("LOGSTREAM");
  const come = comingByTurns(frame);
  put(
    stream,
    "emit",
    (real) =>
      function (this: unknown, ...args) {
        const [event] = args;
        if (here() !== null || stream.listenerCount(event as string) === 0) return Reflect.apply(real, this, args);
        const hand = (): void => void maker.runInAsyncScope(real, this, ...args);
        if (ONCE.has(event as string)) come(hand);
        else hand();
        return true;
      },
  );
  for (const name of ["write", "end", "flushSync"])
    put(
      stream,
      name,
      (real) =>
        function (this: unknown, ...args) {
          return live(() => Reflect.apply(real, this, args));
        },
    );
  put(
    stream,
    "flush",
    (real) =>
      function (this: unknown, ...args) {
        const [callback, ...rest] = args;
        const asker = here();
        if (asker === null || typeof callback !== "function") return live(() => Reflect.apply(real, this, args));
        const context = new AsyncResource("LOGFLUSH");
        const complete = orderedCompletion(asker);
        const flushed = (...answer: unknown[]): void =>
          complete(() => void context.runInAsyncScope(callback as AnyFunction, undefined, ...answer));
        return live(() => Reflect.apply(real, this, [flushed, ...rest]));
      },
  );
}

function put(stream: object, name: string, make: (real: AnyFunction) => AnyFunction): void {
  const real: unknown = Reflect.get(stream, name);
  if (typeof real !== "function") return;
  const value = make(real as AnyFunction);
  Object.defineProperty(stream, name, { value, writable: true, configurable: true, enumerable: false });
}
