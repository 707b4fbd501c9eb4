import { basename } from "node:path";
import workers from "node:worker_threads";
import { isLive, isLoadingProgram, live, raise } from "@reenact/capture/recorder";
import type { GuardOptions } from "./guard-options.ts";
import { PLAN_VARIABLE } from "../child/plan.ts";

/** Threads that the program started, with the file of their code; those that have ended are taken out when it is read. */
const started = new Map<workers.Worker, string>();

/** Files of the code of threads that have not ended. No listener is added for that: a program can count them. */
export function runningThreads(): readonly string[] {
  for (const thread of started.keys()) if (thread.threadId === ENDED) started.delete(thread);
  return [...started.values()];
}

/** `threadId` of a thread that has ended */
const ENDED = -1;

/** Threads run in a replay, each under a guard of its own: code of `eval` threads starts before any preload could. */
export function guardThreads({
  refuse,
  applies,
  threadPreload,
}: Pick<GuardOptions, "refuse" | "applies" | "threadPreload">): () => void {
  const real = workers.Worker;
  const plan = live(() => process.env[PLAN_VARIABLE]);
  workers.Worker = class Worker extends real {
    constructor(file: string | URL, options?: workers.WorkerOptions) {
      // the recorder has a thread of its own for long texts
      const free = !applies() || isLive() || isLoadingProgram();
      if (!free && (threadPreload === null || options?.eval === true))
        raise(refuse("worker", options?.eval === true ? "of a text" : String(file).slice(0, 200)));
      super(file, free ? options : guarded(options, threadPreload as string, plan));
      if (free) return;
      runningThreads();
      started.set(this, basename(String(file)).slice(0, 100));
    }
  };
  return () => {
    workers.Worker = real;
  };
}

/** A thread inherits the preload, and the plan, unless its options are its own. */
function guarded(
  options: workers.WorkerOptions | undefined,
  preload: string,
  plan: string | undefined,
): workers.WorkerOptions | undefined {
  if (options?.env === undefined && options?.execArgv === undefined) return options;
  const { env } = options;
  return {
    ...options,
    execArgv: [...(options.execArgv ?? process.execArgv), "--import", preload],
    ...(typeof env === "object" && env !== null && { env: { ...env, [PLAN_VARIABLE]: plan } }),
  };
}
