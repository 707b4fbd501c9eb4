import { AsyncResource } from "node:async_hooks";
import { basename } from "node:path";
import workers, { type Worker } from "node:worker_threads";
import { type RunFrame, here, live } from "../../run/context.ts";
import { askEachTime } from "../environment.ts";
import { guarded } from "../../fault/faults.ts";
import { leaked } from "../../leaks/leaked.ts";
import { isLoadingProgram } from "../../leaks/program-loading.ts";
import { comingByTurns } from "./coming-by-turns.ts";
import { isLogThread, letLogThreadRun } from "./log-thread.ts";
import { withRoom } from "../../patch/stack-room.ts";
import { replaceMethod } from "../../patch/replace-method.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Under which name a thread's preload finds, in shared memory, the counter of its connections (@reenact/node). */
const THREAD_CONNECTIONS = "reenact:thread-connections";
const FROM_THREAD: ReadonlySet<unknown> = new Set(["online", "message", "messageerror", "error", "exit"]);

/**
 * Worker threads that a run starts: the event loop decides when their messages arrive, so each arrival is gated. Their own
 * work is not recorded; a thread is counted as a leak.
 */
export function installWorkers(): () => void {
  return replaceMethod(workers, "Worker", (Real: typeof Worker) => watchedClass(Real) as never);
}

function watchedClass(Real: typeof Worker): typeof Worker {
  return new Proxy(Real, {
    construct(target, args, newTarget: object) {
      const make = (): Worker => withRoom(() => Reflect.construct(target, args, newTarget as never) as Worker);
      const frame = here();
      if ((args[1] as { env?: unknown } | undefined)?.env === workers.SHARE_ENV) askEachTime();
      // a build tool's thread does not belong to the agent
      if (frame === null || isLoadingProgram()) return make();
      const [file] = args as unknown[];
      // the work of a logger's thread is not recorded
      const isLogger = isLogThread(file);
      const connections = new Int32Array(new SharedArrayBuffer(4));
      if (!isLogger) noteThread(frame, nameOf(file, args[1]), connections);
      // made as ours, so that its wake-ups do not count as those of an unknown resource
      const worker = live(() => withCounter(connections, make));
      guarded("workers", undefined, () => {
        if (isLogger) letLogThreadRun(worker, frame);
        else gateWhatItSays(worker, frame);
      });
      return worker;
    },
  });
}

function noteThread(frame: RunFrame, name: string, connections: Int32Array): void {
  leaked("worker", name);
  guarded("workers", undefined, () => frame.run.leaks.addThread(name, frame.scope, connections));
}

/** A thread gets what is set when it is made, and finds there where to count. */
function withCounter(connections: Int32Array, make: () => Worker): Worker {
  workers.setEnvironmentData(THREAD_CONNECTIONS, connections.buffer);
  try {
    return make();
  } finally {
    workers.setEnvironmentData(THREAD_CONNECTIONS, undefined);
  }
}

function nameOf(file: unknown, options: unknown): string {
  if ((options as { eval?: unknown } | undefined)?.eval === true) return "a text";
  const path = file instanceof URL ? file.pathname : String(file);
  return path.startsWith("data:") ? "a text" : basename(path);
}

function gateWhatItSays(worker: Worker, frame: RunFrame): void {
  const maker = new AsyncResource("WORKERTHREAD");
  const come = comingByTurns(frame);
  const { emit, removeAllListeners } = worker as unknown as Record<"emit" | "removeAllListeners", AnyFunction>;
  put("emit", function (...args) {
    const [event] = args;
    // the agent may call it itself
    if (here() !== null || !FROM_THREAD.has(event)) return Reflect.apply(emit, this, args);
    come(() => {
      maker.runInAsyncScope(emit, this, ...args);
      if (event === "exit") Reflect.apply(removeAllListeners, this, []);
    });
    return true;
  });
  // Node does it as soon as the thread has ended: what still waits its turn would find no listener
  put("removeAllListeners", function (...args) {
    return here() === null ? this : Reflect.apply(removeAllListeners, this, args);
  });

  function put(name: string, value: AnyFunction): void {
    Object.defineProperty(worker, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
