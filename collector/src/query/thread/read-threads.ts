import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import { packColumns } from "../../seal/packed-columns.ts";
import { type Caller, type Reads } from "../api-deps.ts";
import { type OpenFacts, type OpenRuns } from "../unpacked-runs.ts";
import { ApiError } from "../api-error.ts";
import { type Lane, READ_ROUTES, type ReadName } from "../read-routes.ts";
import type { FromReader, OpenCall, ReadThreadData, ToReader } from "./read-messages.ts";

/** Requests that one lane may have in progress or queued; further ones are refused with `UNAVAILABLE`. */
const MOST_WAITING = 200;
const STOPPING = "the collector is shutting down";
/** The heap of one thread, MiB. A thread that needs more ends; the process goes on. */
const HEAP_MB = 2048;
/** The most answers that a thread makes at a time. */
const MAKING: Record<Lane, number> = { lists: 16, payloads: 2 };
/** The request headers that the handlers of `readHandlers` use. */
const HEADERS = ["accept", "range", "if-range", "if-none-match"];

interface Waiting {
  /** takes the pieces of the body; null: no answer has begun */
  stream: ReadableStreamDefaultController<Uint8Array> | null;
  resolve(value: never): void;
  reject(error: Error): void;
}
interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

export interface ReadThreads extends Reads {
  /** calls of `OpenRuns` that run on the thread of the lists */
  readonly open: Pick<OpenRuns, OpenCall>;
  /** bytes of the largest piece so far */
  largest(): number;
  /** bytes of all pieces so far */
  sent(): number;
  close(): Promise<void>;
}

interface ReadThreadsDeps {
  readonly facts: OpenFacts;
  /** Throws while the catalog lacks rows. */
  readonly mayRead?: () => void;
  readonly log: Log;
  readonly heapMb?: number;
}

/**
 * Answers the reading routes on two threads, one for lists and one for payloads; each starts with its first request. When a thread
 * ends, its waiting requests are refused with `UNAVAILABLE`, bodies that it was sending break off, and the next request starts it
 * again.
 */
export function startReadThreads(
  data: Omit<ReadThreadData, "making">,
  { facts, mayRead = () => {}, log, heapMb = HEAP_MB }: ReadThreadsDeps,
): ReadThreads {
  const threads = new Map<Lane, Thread>();
  let last = 0;
  let largest = 0;
  let sent = 0;
  let closed = false;

  function start(lane: Lane): Thread {
    const extension = extname(import.meta.filename);
    const waiting: Thread["waiting"] = new Map();
    const worker = new Worker(new URL(`./read-thread${extension}`, import.meta.url), {
      workerData: { ...data, making: MAKING[lane] } satisfies ReadThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // A thread that runs from sources resolves packages to sources, too.
      ...(extension === ".ts" && { execArgv: [...process.execArgv, "--conditions=@reenact/source"] }),
    });
    worker.unref();
    const started = { worker, waiting };
    let told = false;
    const ended = (error: Error) => {
      if (threads.get(lane) === started) threads.delete(lane);
      if (!closed && !told) log("error", "read.thread-ended", { lane, unanswered: waiting.size, error });
      told = true;
      const why = new ApiError("UNAVAILABLE", closed ? STOPPING : "the thread that reads has ended", {
        cause: error,
      });
      for (const { stream, reject } of waiting.values()) {
        stream?.error(why);
        reject(why);
      }
      waiting.clear();
    };
    worker.on("message", (message: FromReader) => take(started, message));
    worker.on("error", ended);
    worker.on("exit", (code) => ended(new Error(`the reading thread ended with ${code}`)));
    return started;
  }

  function count({ length }: Uint8Array): void {
    largest = Math.max(largest, length);
    sent += length;
  }

  function take({ worker, waiting }: Thread, message: FromReader): void {
    if (message.is === "log") return log(message.level, message.event, message.fields);
    if (message.is === "fact") return tell(worker, message);
    const asked = waiting.get(message.id);
    if (!asked) return;
    switch (message.is) {
      case "called":
        waiting.delete(message.id);
        return asked.resolve(message.result as never);
      case "end":
        waiting.delete(message.id);
        if (asked.stream && message.error === null) return asked.stream.close();
        asked.stream?.error(new Error(message.error ?? ""));
        return asked.reject(new ApiError("UNAVAILABLE", "reading failed", { cause: message.error }));
      case "piece":
        count(message.bytes);
        return asked.stream?.enqueue(message.bytes);
      case "head": {
        const { id, status, headers, body } = message;
        if (body) {
          count(body);
          waiting.delete(id);
          // `Response` refuses even an empty body for statuses such as 304
          return asked.resolve(new Response(body.length === 0 ? null : body, { status, headers }) as never);
        }
        return asked.resolve(new Response(bodyOf(worker, waiting, id), { status, headers }) as never);
      }
    }
  }

  function bodyOf(worker: Worker, waiting: Thread["waiting"], id: number): ReadableStream<Uint8Array> {
    const asked = waiting.get(id)!;
    let taken = 0;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (asked.stream = controller),
        // called at the start, when the window is still full, and then whenever all pieces that came were taken
        pull: () => {
          if (taken++ > 0) worker.postMessage({ is: "more", id } satisfies ToReader, []);
        },
        cancel: () => {
          waiting.delete(id);
          worker.postMessage({ is: "cancel", id } satisfies ToReader, []);
        },
      },
      { highWaterMark: 1 },
    );
  }

  /** Answers a question about open runs from this thread's memory. */
  function tell(worker: Worker, { id, fact, args }: Extract<FromReader, { is: "fact" }>): void {
    const [tenant, of] = args as [string, never];
    const post = (result: Extract<ToReader, { is: "fact" }>["result"], moved: ArrayBuffer[] = []) =>
      worker.postMessage({ is: "fact", id, result } satisfies ToReader, moved);
    if (fact === "views") return post({ rows: facts.views(tenant, of) });
    if (fact === "texts") return post({ texts: facts.texts(tenant, of) });
    facts.columns(tenant, of).then(
      (columns) => {
        if (columns === null) return post({ columns: null });
        const packed = packColumns(columns);
        post({ columns: packed }, [packed.buffer]);
      },
      // a thread that waits for it would wait for ever
      (error: unknown) => {
        log("error", "read.no-places", { error });
        void worker.terminate();
      },
    );
  }

  function ask<Result>(lane: Lane, message: (id: number) => ToReader): Promise<Result> {
    if (closed) return Promise.reject(new ApiError("UNAVAILABLE", STOPPING));
    const thread = threads.get(lane) ?? start(lane);
    threads.set(lane, thread);
    if (thread.waiting.size >= MOST_WAITING)
      return Promise.reject(new ApiError("UNAVAILABLE", "too many requests are waiting to be read"));
    const id = ++last;
    return new Promise<Result>((resolve, reject) => {
      thread.waiting.set(id, { stream: null, resolve: resolve, reject });
      thread.worker.postMessage(message(id), []);
    });
  }

  const call = <Result>(method: OpenCall, args: readonly unknown[]) =>
    ask<Result>("lists", (id) => ({ is: "call", id, method, args }));

  return {
    async answer(name: ReadName, { url, headers, method }: Request, who: Caller) {
      mayRead();
      const passed = HEADERS.flatMap((each): [string, string][] => {
        const value = headers.get(each);
        return value === null ? [] : [[each, value]];
      });
      const head = method === "HEAD";
      return ask<Response>(READ_ROUTES[name], (id) => ({ is: "answer", id, url, headers: passed, head, who }));
    },
    open: {
      rows: (tenant, prefix = "", local = true) => call("rows", [tenant, prefix, local]),
      lines: (tenant, run, from, most) => call("lines", [tenant, run, from, most]),
    },
    largest: () => largest,
    sent: () => sent,
    async close() {
      closed = true;
      await Promise.all(Array.from(threads.values(), ({ worker }) => worker.terminate()));
    },
  };
}
