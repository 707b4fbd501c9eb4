import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import { packColumns } from "../../seal/packed-columns.ts";
import { type Caller, type OpenFacts, type OpenRuns, type Reads } from "../api-deps.ts";
import { ApiError } from "../api-error.ts";
import { type Lane, READ_ROUTES, type ReadName } from "../read-routes.ts";
import type { FromReader, OpenCall, ReadThreadData, ToReader } from "./read-messages.ts";

/** Answers that one lane has under way or waiting; beyond it is told to come again. */
const MOST_WAITING = 200;
/** Of one thread, MiB: what is more ends it, and nothing else. */
const HEAP_MB = 2048;
const MAKING: Record<Lane, number> = { lists: 16, payloads: 2 };
/** The headers that reading looks at. */
const HEADERS = ["accept", "range", "if-range", "if-none-match"];

interface Waiting {
  /** an answer has begun, with a body that follows */
  stream: ReadableStreamDefaultController<Uint8Array> | null;
  resolve(value: never): void;
  reject(error: Error): void;
}
interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

export interface ReadThreads extends Reads {
  /** read on a thread of lists, for those who watch */
  readonly open: Pick<OpenRuns, OpenCall>;
  /** bytes of the largest message of an answer so far, and of all of them */
  largest(): number;
  sent(): number;
  close(): Promise<void>;
}

interface ReadThreadsDeps {
  readonly facts: OpenFacts;
  /** Throws where nothing can be read yet. */
  readonly mayRead?: () => void;
  readonly log: Log;
  readonly heapMb?: number;
}

/**
 * Reads on threads of their own, one for lists and one for payloads, each begun when it is first asked. One that ends is begun
 * again; what it had been asked is answered with `UNAVAILABLE`, and what it was sending is cut off.
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
      // From sources, packages come from their sources too.
      ...(extension === ".ts" && { execArgv: [...process.execArgv, "--conditions=@reenact/source"] }),
    });
    worker.unref();
    const started = { worker, waiting };
    let told = false;
    const ended = (error: Error) => {
      if (threads.get(lane) === started) threads.delete(lane);
      if (!closed && !told) log("error", "read.thread-ended", { lane, unanswered: waiting.size, error });
      told = true;
      const why = new ApiError("UNAVAILABLE", closed ? "the collector ends" : "what was reading has ended", {
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
        return asked.reject(new ApiError("UNAVAILABLE", "it cannot be read now", { cause: message.error }));
      case "piece":
        count(message.bytes);
        return asked.stream?.enqueue(message.bytes);
      case "head": {
        const { id, status, body } = message;
        const headers = message.headers.map(([name, value]): [string, string] => [name, value]);
        if (body) {
          count(body);
          waiting.delete(id);
          // a status that has no body takes none, not even an empty one
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
        // each piece that is taken makes room for another; the first is asked for by nobody
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

  /** What only this thread knows, told at once. */
  function tell(worker: Worker, { id, fact, args }: Extract<FromReader, { is: "fact" }>): void {
    const [tenant, of] = args as [string, never];
    const say = (result: Extract<ToReader, { is: "fact" }>["result"], moved: ArrayBuffer[] = []) =>
      worker.postMessage({ is: "fact", id, result } satisfies ToReader, moved);
    if (fact === "views") return say({ rows: facts.views(tenant, of) });
    if (fact === "texts") return say({ texts: facts.texts(tenant, of) });
    const columns = facts.columns(tenant, of);
    if (columns === null) return say({ columns: null });
    const packed = packColumns(columns);
    say({ columns: packed }, [packed.buffer]);
  }

  function ask<Result>(lane: Lane, message: (id: number) => ToReader): Promise<Result> {
    if (closed) return Promise.reject(new ApiError("UNAVAILABLE", "the collector ends"));
    const thread = threads.get(lane) ?? start(lane);
    threads.set(lane, thread);
    if (thread.waiting.size >= MOST_WAITING)
      return Promise.reject(new ApiError("UNAVAILABLE", "so much is being read already"));
    const id = ++last;
    return new Promise<Result>((resolve, reject) => {
      thread.waiting.set(id, { stream: null, resolve: resolve as (value: never) => void, reject });
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
      rows: (tenant, prefix = "") => call("rows", [tenant, prefix]),
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
