import { createRequire } from "node:module";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { ownCodePrefix } from "./load-own.ts";

/** A thread of ours, started as this process was: with the code that V8 has kept, and nothing of the program's options. */
export function ownThread(specifier: string, options: WorkerOptions & { name: string }): Worker {
  return new Worker(createRequire(import.meta.url).resolve("@reenact/node/thread"), {
    env: {},
    ...options,
    argv: [specifier, ownCodePrefix() ?? ""],
    execArgv: process.execArgv.filter((flag) => /^(--conditions|-C)=/.test(flag)),
  });
}
