import type { Worker } from "node:worker_threads";
import { live, originals } from "@reenact/capture/recorder";
import type { ScrubberOptions } from "@reenact/redaction";
import { ownThread } from "../own-code/own-thread.ts";
import type { ScrubAnswer, ScrubRequest } from "./scrub-work.ts";

/** A question at which so many threads have died is not asked again. */
const MOST_DEATHS = 2;
/** So many threads in a row that have never answered: there is none to be had. */
const MOST_IN_VAIN = 3;

export interface Question {
  /** made anew each time that it is asked */
  readonly request: (id: number) => ScrubRequest;
  /** null: it can no longer be read */
  readonly answer: (answer: ScrubAnswer | null) => void;
}

interface Asked extends Question {
  /** what was known when it was asked */
  version: number;
  deaths: number;
  /** when, first. Ms */
  readonly since: number;
}

/** One thread with a scrubber, which answers in the order of the questions. Started by the first; one that dies is replaced. */
export interface ScrubThread {
  readonly isStarted: boolean;
  /** no thread is to be had */
  readonly isLost: boolean;
  ask(question: Question): void;
  /** Tells the thread, if it is started, what has become known. */
  tell(message: ScrubRequest): void;
  /** Whether it has answered, and no question waits for longer than `ms`. */
  answersWithin(ms: number): boolean;
  /** Ends it; what was asked is answered with null. */
  close(): void;
}

export interface ScrubThreadParts {
  readonly name: string;
  /** of the scrubber, with all that is known by now */
  options(): ScrubberOptions;
  /** counts what has become known: an answer that was made without it is worth nothing */
  version(): number;
  /** called when no thread is to be had */
  lost(): void;
}

export function scrubThread(parts: ScrubThreadParts): ScrubThread {
  /** null: not started */
  let worker: Worker | null = null;
  let state: "open" | "lost" | "closed" = "open";
  let last = 0;
  let inVain = 0;
  /** the thread has answered */
  let isWorking = false;
  /** in the order in which they are answered */
  let asked = new Map<number, Asked>();

  function start(): Worker {
    const { name } = parts;
    const thread = ownThread("@reenact/node/scrub-worker", { workerData: parts.options(), name });
    const gone = (): void => lose(thread);
    // a listener for messages holds the process again: it comes before
    thread.on("message", take).on("error", gone).on("exit", gone);
    thread.unref();
    return thread;
  }

  function lose(thread: Worker): void {
    if (worker !== thread) return;
    worker = null;
    isWorking = false;
    inVain++;
    const [first] = asked.values();
    if (first !== undefined) first.deaths++;
    const left = [...asked.values()];
    asked = new Map();
    for (const each of left) {
      if (each.deaths >= MOST_DEATHS) each.answer(null);
      else put(each);
    }
  }

  function giveUp({ answer }: Question): void {
    state = "lost";
    parts.lost();
    answer(null);
  }

  function put(question: Asked): void {
    if (state !== "open") return question.answer(null);
    try {
      if (inVain >= MOST_IN_VAIN) return giveUp(question);
      worker ??= live(start);
    } catch {
      return giveUp(question);
    }
    const id = ++last;
    question.version = parts.version();
    asked.set(id, question);
    if (post(question.request(id))) return;
    asked.delete(id);
    question.answer(null);
  }

  function post(message: ScrubRequest): boolean {
    try {
      live(() => worker?.postMessage(message, []));
      return true;
    } catch {
      return false;
    }
  }

  function take(answer: ScrubAnswer): void {
    inVain = 0;
    isWorking = true;
    const question = asked.get(answer.id);
    if (question === undefined) return;
    asked.delete(answer.id);
    if (question.version === parts.version()) question.answer(answer);
    else put(question);
  }

  return {
    get isStarted() {
      return worker !== null;
    },
    get isLost() {
      return state === "lost";
    },
    ask(question) {
      put({ ...question, version: parts.version(), deaths: 0, since: originals.performanceNow() });
    },
    tell: (message) => void post(message),
    answersWithin(ms) {
      if (!isWorking) return false;
      const since = originals.performanceNow() - ms;
      for (const each of asked.values()) if (each.since <= since) return false;
      return true;
    },
    close() {
      const thread = worker;
      worker = null;
      state = "closed";
      for (const { answer } of asked.values()) answer(null);
      asked.clear();
      if (thread !== null) void live(() => thread.terminate()).catch(() => {});
    },
  };
}
