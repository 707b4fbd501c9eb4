import type { Worker } from "node:worker_threads";
import { live, originals, warnOnce } from "@reenact/capture/recorder";
import type { Destination } from "./destination.ts";
import { ownThread } from "../own-code/own-thread.ts";

/** Whether the thread or the process reports what was left: the one that sets its state first. */
export const Over = { no: 0, yes: 1, telling: 2, late: 3 } as const;

/** What the thread is started with. */
export interface SenderData {
  readonly store: string;
  readonly instance: string;
  readonly destinations: readonly Destination[];
  /** the launcher of the process sends what is left, and reports it */
  readonly launched: boolean;
  /** one of `Over`; `yes` when the thread has written all of its lines after the end */
  readonly over: Int32Array;
}

/** The message to the thread that all in the spool is to be sent now; it answers with the same. */
export interface SenderFlush {
  readonly flush: number;
}

/** The message to the thread when the process ends. */
export interface SenderEnding {
  /** that were written */
  readonly runs: number;
  /** milliseconds that the process waits */
  readonly withinMs: number;
}

export interface Sender {
  /** Starts the thread, soon and beside the agent's thread. Again: nothing. */
  start(): void;
  /**
   * Sends what is in the spool by now. Resolves when each destination has it or is in trouble, at the latest after `withinMs`, and at
   * once while the thread is still busy with one that took longer; never rejects.
   */
  flush(withinMs: number): Promise<void>;
  /** The spool is closed: waits for the rest to be sent, at most so long. */
  end(ending: SenderEnding): void;
  /** Lets go of the thread. */
  stop(): void;
}

const SHORT_MS = 150;
/** The thread writes its lines in far less. */
const TELLS_MS = 200;

/**
 * Sends what this process spools from a thread of its own: no request, and no wait for one, is ever on the agent's
 * thread, but at the end of the process. Where no thread can be had, the spool waits for the next process.
 */
export function createSender(
  data: Omit<SenderData, "over" | "destinations"> & {
    /** asked when the thread is started */
    destinations: () => readonly Destination[];
  },
): Sender {
  const over = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | "none" | null = null;

  function launch(): void {
    if (worker !== null) return;
    live(() => {
      try {
        const thread = ownThread("@reenact/node/send-worker", {
          workerData: { ...data, destinations: data.destinations(), over } satisfies SenderData,
          name: "reenact-sender",
        });
        thread.on("error", lose).on("exit", lose);
        thread.on("message", ({ flush }: SenderFlush) => {
          late.delete(flush);
          waiting.get(flush)?.();
        });
        thread.unref();
        worker = thread;
      } catch {
        worker = "none";
      }
    });
  }

  function lose(): void {
    worker = "none";
    Atomics.store(over, 0, Over.yes);
    Atomics.notify(over, 0);
    for (const done of waiting.values()) done();
  }

  let flushes = 0;
  const waiting = new Map<number, () => void>();
  /** the thread has not answered them in time */
  const late = new Set<number>();

  function flushWith(thread: Worker, withinMs: number): Promise<void> {
    const number = flushes++;
    return new Promise((resolve) => {
      // it keeps a process alive that waits for nothing else
      const clock = originals.setTimeout(() => {
        late.add(number);
        done();
      }, withinMs);
      const done = (): void => {
        originals.clearTimeout(clock);
        waiting.delete(number);
        resolve();
      };
      waiting.set(number, done);
      thread.postMessage({ flush: number } satisfies SenderFlush, []);
    });
  }

  return {
    flush(withinMs) {
      launch();
      const thread = worker;
      if (thread === null || thread === "none" || late.size > 0) return Promise.resolve();
      return live(() => flushWith(thread, withinMs));
    },
    start() {
      if (worker !== null) return;
      // a short program that was launched leaves all of it to its launcher
      if (data.launched) live(() => originals.setTimeout(launch, SHORT_MS).unref());
      else live(() => originals.setImmediate(launch).unref());
    },
    end(ending) {
      launch();
      if (worker === null || worker === "none")
        return warnOnce("send-none", "there is no thread to send with: what was recorded is kept. Next: reenact ship");
      const thread = worker;
      live(() => thread.postMessage(ending, []));
      Atomics.wait(over, 0, Over.no, ending.withinMs);
      if (Atomics.compareExchange(over, 0, Over.no, Over.late) === Over.no)
        warnOnce("send-late", `not all was sent within ${ending.withinMs} ms; the rest is kept. Next: reenact ship`);
      // the thread is writing its own line
      else Atomics.wait(over, 0, Over.telling, TELLS_MS);
    },
    stop() {
      const thread = worker;
      worker = "none";
      if (thread !== null && thread !== "none") void live(() => thread.terminate()).catch(() => {});
    },
  };
}
