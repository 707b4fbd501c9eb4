import { MessageChannel, receiveMessageOnPort, type Worker } from "node:worker_threads";
import { live, originals } from "@reenact/capture/recorder";
import type { DetectorQueue, Verdict } from "@reenact/redaction";
import { type DetectorAnswer, type DetectorQuestion, type DetectorWork, READY } from "./detector-work.ts";
import type { WaitBudget } from "./wait-budget.ts";
import { ownThread } from "../own-code/own-thread.ts";

export interface DetectorThread extends DetectorQueue {
  standStill(isDone: () => boolean): void;
  /** Ends the thread; what is under way has no answer. */
  close(): void;
}

export interface DetectorThreadOptions {
  /** absolute path of the file that holds the detectors */
  configFile: string;
  /** milliseconds for one text */
  ms: number;
  /** environment of the detectors */
  env: Readonly<Record<string, string | undefined>>;
  /** how long the calling thread may stand still */
  waitBudget: Pick<WaitBudget, "left" | "spent">;
}

/** Beside the time that a text may take. */
const GRACE_MS = 1000;
/** For the thread to start and load its file: it reports that then. */
const START_MS = 10_000;
/** After this many waits without an answer the caller no longer waits, until there is an answer again. */
const MOST_IN_VAIN = 2;

/**
 * Asynchronous detectors on a thread of their own. So a text can be waited for where nothing can be awaited: while a
 * process exits, and while a replay compares; and what they do outside is not seen as the agent's. The thread is started
 * here, since a replay refuses to start one later. It keeps no process alive.
 */
export function detectorThread({ configFile, ms, env, waitBudget }: DetectorThreadOptions): DetectorThread {
  const { port1: port, port2 } = live(() => new MessageChannel());
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const asked = new Map<number, (verdict: Verdict) => void>();
  let worker: Worker | null = null;
  let last = 0;
  let heard = 0;
  let inVain = 0;
  let watched: ReturnType<typeof setTimeout> | null = null;

  const longest = (): number => ms + (heard === 0 ? START_MS : GRACE_MS);

  function giveUp(): void {
    const open = [...asked.values()];
    asked.clear();
    for (const done of open) done(null);
  }

  function lose(): void {
    worker = null;
    giveUp();
  }

  function take({ id, verdict }: DetectorAnswer): void {
    heard++;
    if (id === READY || verdict !== null) inVain = 0;
    const done = asked.get(id);
    asked.delete(id);
    if (watched !== null) originals.clearTimeout(watched);
    watched = null;
    watch();
    done?.(verdict);
  }

  /** While there are questions, the thread has to say something in the time that a text may take. */
  function watch(): void {
    if (watched !== null || asked.size === 0) return;
    const before = heard;
    watched = originals.setTimeout(() => {
      watched = null;
      if (heard === before) giveUp();
      watch();
    }, longest());
    watched.unref();
  }

  live(() => {
    try {
      const workerData: DetectorWork = { port: port2, answered, configFile, ms };
      worker = ownThread("@reenact/node/detector-worker", {
        workerData,
        transferList: [port2],
        name: "reenact-detectors",
        env: Object.fromEntries(Object.entries(env).filter(([name]) => name !== "NODE_OPTIONS")),
      });
      // a listener for messages holds the process again: it comes before
      worker.on("error", lose).on("exit", lose);
      worker.unref();
      port.on("message", take);
      port.unref();
    } catch {
      lose();
    }
  });

  return {
    ask(text, done) {
      if (worker === null) return done(null);
      const id = ++last;
      asked.set(id, done);
      live(() => {
        port.postMessage({ id, text } satisfies DetectorQuestion, []);
        watch();
      });
    },
    standStill(isDone) {
      if (inVain >= MOST_IN_VAIN || isDone()) return;
      const start = originals.performanceNow();
      const end = start + Math.min(longest(), waitBudget.left());
      for (let rest = end - start; rest > 0; rest = end - originals.performanceNow()) {
        const seen = Atomics.load(answered, 0);
        for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
          take(got.message as DetectorAnswer);
        if (isDone()) break;
        Atomics.wait(answered, 0, seen, rest);
      }
      if (!isDone()) inVain++;
      waitBudget.spent(originals.performanceNow() - start);
    },
    close() {
      const thread = worker;
      lose();
      port.close();
      if (thread !== null) void live(() => thread.terminate()).catch(() => {});
    },
  };
}
