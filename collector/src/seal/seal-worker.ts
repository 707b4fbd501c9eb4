import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { JournalAddress } from "../journal/journal.ts";
import { packColumns } from "./packed-columns.ts";
import type { SealedFrames, SealPolicy, SealTask } from "./seal-run.ts";
import type { AskedSeals, SealAnswers, SealThreadData } from "./seal-thread.ts";

export interface SealWorker {
  /** Null: nothing in it that is not sealed yet. Rejects with the error of this run, if the thread died, once closed. */
  seal(task: SealTask): Promise<SealedFrames | null>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve: (sealed: SealedFrames | null) => void; reject: (error: Error) => void }>;
  /** to be sent with the others of this turn */
  readonly asked: { readonly id: number; readonly task: SealTask }[];
}

/**
 * Seals on a thread of its own, at low priority, from the journal's files. A thread that dies is started again. A message
 * costs as much as sealing a small run: what comes in one turn goes in one.
 */
export function startSealWorker(options: {
  journal: JournalAddress;
  spillFolder: string;
  policy: SealPolicy;
}): SealWorker {
  const data: SealThreadData = options;
  let next = 0;
  let thread: Thread | null = null;
  let closed = false;

  function start(): Thread {
    const extension = extname(import.meta.filename);
    const waiting: Thread["waiting"] = new Map();
    const worker = new Worker(new URL(`./seal-thread${extension}`, import.meta.url), {
      workerData: data,
      // From sources, packages come from their sources too.
      ...(extension === ".ts" && { execArgv: [...process.execArgv, "--conditions=@reenact/source"] }),
    });
    const started = { worker, waiting, asked: [] };
    const ended = (error: Error) => {
      if (thread === started) thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on("message", ({ bytes, answers }: SealAnswers) => {
      for (const answer of answers) {
        const asked = waiting.get(answer.id);
        waiting.delete(answer.id);
        if ("error" in answer)
          asked?.reject(Object.assign(answer.error, answer.code !== undefined && { code: answer.code }));
        else if (answer.sealed === null) asked?.resolve(null);
        else {
          const { frames, ...sealed } = answer.sealed;
          const whole = frames.map((each) => ("from" in each ? bytes.subarray(each.from, each.to) : each));
          asked?.resolve({ ...sealed, frames: whole });
        }
      }
    });
    worker.on("error", ended);
    worker.on("exit", (code) => ended(new Error(`the sealing thread ended with ${code}`)));
    return started;
  }

  function send({ worker, asked }: Thread): void {
    const all = asked.splice(0);
    const columns = packColumns(all.map(({ task }) => task.columns));
    const tasks = all.map(({ id, task: whole }) => {
      const { columns: _, ...task } = whole;
      return { id, task };
    });
    worker.postMessage({ columns, tasks } satisfies AskedSeals, [columns.buffer]);
  }

  thread = start();
  return {
    seal: (task) =>
      new Promise((resolve, reject) => {
        // A thread that is begun now would never be ended.
        if (closed) return reject(new Error("the sealing thread is closed"));
        const current = (thread ??= start());
        const id = next++;
        current.waiting.set(id, { resolve, reject });
        current.asked.push({ id, task });
        if (current.asked.length === 1) setImmediate(send, current);
      }),
    async close() {
      closed = true;
      await thread?.worker.terminate();
    },
  };
}
