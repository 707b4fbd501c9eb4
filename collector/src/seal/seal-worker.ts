import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SealedFrames, SealPolicy, SealTask } from "./seal-run.ts";
import type { SealThreadData } from "./seal-thread.ts";

export interface SealWorker {
  /** Null: nothing in it that is not sealed yet. Rejects with the error of this run, if the thread died, once closed. */
  seal(task: SealTask): Promise<SealedFrames | null>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve: (sealed: SealedFrames | null) => void; reject: (error: Error) => void }>;
}

type Answer = { id: number; sealed: SealedFrames | null } | { id: number; error: Error };

/** Seals on a thread of its own, at low priority, from the journal's files. A thread that dies is started again. */
export function startSealWorker(options: {
  journalFolder: string;
  spillFolder: string;
  policy: SealPolicy;
}): SealWorker {
  const { journalFolder: folder, spillFolder, policy } = options;
  const data: SealThreadData = { folder, spillFolder, policy };
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
    const started = { worker, waiting };
    const ended = (error: Error) => {
      if (thread === started) thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on("message", (answer: Answer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("error" in answer) asked?.reject(answer.error);
      else asked?.resolve(answer.sealed);
    });
    worker.on("error", ended);
    worker.on("exit", (code) => ended(new Error(`the sealing thread ended with ${code}`)));
    return started;
  }

  return {
    seal: (task) =>
      new Promise((resolve, reject) => {
        // A thread that is begun now would never be ended.
        if (closed) return reject(new Error("the sealing thread is closed"));
        const { worker, waiting } = (thread ??= start());
        const id = next++;
        waiting.set(id, { resolve, reject });
        const { group, offset, length, id: ids, start: starts } = task.columns;
        worker.postMessage({ id, task }, [group.buffer, offset.buffer, length.buffer, ids.buffer, starts.buffer]);
      }),
    async close() {
      closed = true;
      await thread?.worker.terminate();
    },
  };
}
