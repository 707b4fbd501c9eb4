import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { PackEntry } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { RunRow } from "../catalog/run-row.ts";
import { countOf, markListOf } from "../retain/mark-list.ts";
import { catalogRow } from "../seal/commit-runs.ts";
import { sealedRunOf } from "../seal/read-packs.ts";

/** Envelopes of one pack that lie side by side. */
export interface PackChunk {
  readonly tenant: string;
  readonly class: RetentionClass;
  readonly key: string;
  /** of the first byte in the pack */
  readonly offset: number;
  readonly entries: readonly PackEntry[];
  readonly bytes: Uint8Array;
}

/** A run as the catalog is to know it. */
export interface ReadRun {
  readonly row: RunRow;
  readonly text: string;
  /** bytes of its spans, not compressed */
  readonly raw: number;
  /** number of marks and removals in its receipt */
  readonly marks: number;
}

export interface ReadRuns {
  readonly runs: readonly ReadRun[];
  readonly failed: readonly { readonly run: string; readonly error: Error }[];
}

/** Threads that read runs: to inflate them and look through their spans on the main thread would hold up receiving. */
export interface RunReaders {
  read(chunk: PackChunk): Promise<ReadRuns>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve: (read: ReadRuns) => void; reject: (error: Error) => void }>;
}

/** So many bytes of spans are read here: no thread is started for a store with a few small runs. */
const READ_HERE = 512 * 1024;

/** A thread that dies is replaced; the runs that it was reading are reported as failed. */
export function startRunReaders(count = Math.min(4, availableParallelism())): RunReaders {
  const threads: Thread[] = [];
  let last = 0;
  let readHere = 0;
  let closed = false;

  function start(): Thread {
    const extension = extname(import.meta.filename);
    const worker = new Worker(new URL(`./run-reader-thread${extension}`, import.meta.url), {
      // From sources, packages come from their sources too.
      ...(extension === ".ts" && { execArgv: [...process.execArgv, "--conditions=@reenact/source"] }),
    });
    const thread: Thread = { worker, waiting: new Map() };
    const ended = (error: Error) => {
      if (threads.includes(thread)) threads.splice(threads.indexOf(thread), 1);
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
    };
    worker.on("message", ({ id, read }: { id: number; read: ReadRuns }) => {
      thread.waiting.get(id)?.resolve(read);
      thread.waiting.delete(id);
    });
    worker.on("error", ended);
    worker.on("exit", (code) => ended(new Error(`a thread that reads runs ended with ${code}`)));
    threads.push(thread);
    return thread;
  }

  return {
    async read(chunk) {
      if (closed) throw new Error("the reading threads are closed");
      readHere += chunk.entries.reduce((sum, { raw }) => sum + raw, 0);
      if (readHere <= READ_HERE) return readChunk(chunk);
      const free = threads.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
      const thread = free && (free.waiting.size === 0 || threads.length >= count) ? free : start();
      const id = last++;
      const answer = new Promise<ReadRuns>((resolve, reject) => void thread.waiting.set(id, { resolve, reject }));
      const { buffer } = chunk.bytes;
      const own = buffer instanceof ArrayBuffer && buffer.byteLength === chunk.bytes.byteLength;
      thread.worker.postMessage({ id, chunk }, own ? [buffer] : []);
      return answer.catch((error: Error) => ({
        runs: [],
        failed: chunk.entries.map(({ run }) => ({ run, error })),
      }));
    },
    async close() {
      closed = true;
      await Promise.all(threads.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

/** Reads the runs of one chunk of a pack; called on the threads. */
export function readChunk({ tenant, class: kept, key, offset: from, entries, bytes }: PackChunk): ReadRuns {
  const runs: ReadRun[] = [];
  const failed: ReadRuns["failed"][number][] = [];
  for (const entry of entries) {
    try {
      const at = entry.offset - from;
      const run = sealedRunOf({ tenant, class: kept, key }, entry, bytes.subarray(at, at + entry.length));
      runs.push({ row: catalogRow(run), text: run.index.text, raw: entry.raw, marks: countOf(markListOf(entry)) });
    } catch (error) {
      failed.push({ run: entry.run, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  return { runs, failed };
}
