import type { Worker } from "node:worker_threads";
import { guarded, live, originals, type ReadTexts, warnOnce, type StepTexts } from "@reenact/capture/recorder";
import type { Held, RedactingScrubber, ScrubberOptions } from "@reenact/redaction";
import { ownThread } from "../own-code/own-thread.ts";
import { type OriginalsWanted, type ScrubAnswer, type ScrubRequest, sentText } from "./scrub-work.ts";

export interface BackgroundScrubber extends RedactingScrubber {
  readElsewhere(texts: StepTexts): Promise<ReadTexts | null> | null;
  readsSoon(): boolean;
  scrubElsewhere(text: string): Promise<string | null> | null;
  /** Ends the thread, if there is one. */
  close(): void;
}

/** A step at which so many threads have died is not read. */
const MOST_DEATHS = 2;
/** So many threads in a row that have never answered: there is none to be had. */
const MOST_IN_VAIN = 3;

/** For fewer texts than this, all of which the agent's thread may read, no thread is started. */
const WORTH_A_THREAD = 3;
/** The agent's thread reads no more of a step. UTF-16 units or bytes. */
const LONG = 64 * 1024;
/** A question that waits for longer shows that the thread lags behind. Ms. */
const SOON = 25;

/** For so long after a step with a long text the thread is kept for such: they are not written before it has read them. Ms. */
const KEPT_FOR_LONG = 10_000;

interface Asked {
  readonly request: (id: number) => ScrubRequest;
  /** null: it can no longer be read */
  readonly answer: (answer: ScrubAnswer | null) => void;
  /** what was known when it was asked */
  version: number;
  deaths: number;
  /** when, first. Ms */
  readonly since: number;
  /** it has a text that the agent's thread may not read */
  readonly isLong: boolean;
}

/**
 * Has steps with long texts read by a thread of its own, with the same key, policy and known values; so the agent's
 * thread never stands still for them. The thread is started by the first such step; one that dies is replaced. A policy
 * with functions cannot go to another thread: then everything is as without it. Where no thread is to be had, long texts
 * are not read at all. `toKeep`: what a vault keeps, if anything; the thread finds it.
 */
export function backgroundScrubber(
  inner: RedactingScrubber,
  options: ScrubberOptions,
  toKeep: () => OriginalsWanted | null = () => null,
): BackgroundScrubber {
  /** null: not started */
  let worker: Worker | null = null;
  let state: "open" | "here" | "lost" | "closed" = "open";
  /** counts what has become known: an answer that was made without it is worth nothing */
  let version = 0;
  let last = 0;
  let inVain = 0;
  /** the thread has answered */
  let isWorking = false;
  /** when a step with a long text was last asked for. Ms */
  let longAt = -Infinity;
  /** texts that came while there was no thread */
  let hints = 0;
  /** in the order in which they are answered */
  let asked = new Map<number, Asked>();
  let known = options.known ?? [];

  function start(): Worker {
    const thread = ownThread("@reenact/node/scrub-worker", {
      workerData: { ...options, known },
      name: "reenact-redaction",
    });
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
      else ask(each);
    }
  }

  function giveUp({ answer }: Asked): void {
    state = "lost";
    warnOnce(
      "redaction-thread",
      "redaction has no thread of its own: long texts are left out; the agent keeps running",
    );
    answer(null);
  }

  function ask(question: Asked): void {
    if (state !== "open") return question.answer(null);
    try {
      if (inVain >= MOST_IN_VAIN) return giveUp(question);
      worker ??= live(start);
    } catch {
      return giveUp(question);
    }
    const id = ++last;
    question.version = version;
    asked.set(id, question);
    if (tell(question.request(id))) return;
    asked.delete(id);
    question.answer(null);
  }

  /** What is known by now belongs to the secrets too. */
  function wanted(): OriginalsWanted | null {
    const found = toKeep();
    return found === null ? null : { ...found, secrets: { ...found.secrets, known } };
  }

  function tell(message: ScrubRequest): boolean {
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
    if (question.version === version) question.answer(answer);
    else ask(question);
  }

  function keep(texts: StepTexts, held: Held | null): void {
    guarded("redaction", undefined, () => {
      const request = held === null ? null : sentText(texts);
      if (request !== null && held !== null) inner.hold?.(...request, held);
    });
  }

  function question(request: Asked["request"], answer: Asked["answer"], length: number): Asked {
    const isLong = length > LONG;
    return { request, answer, version, deaths: 0, since: originals.performanceNow(), isLong };
  }

  /** Whether there is a thread to ask. */
  function isOpen(): boolean {
    if (state === "open" && hasFunctions(options)) state = "here";
    return state === "open" || state === "lost";
  }

  return {
    policy: inner.policy,
    rules: inner.rules,
    kid: inner.kid,
    alreadyRedacted: inner.alreadyRedacted,
    unread: (text, hint) => inner.unread(text, hint),
    ...(inner.denies === undefined ? {} : { denies: inner.denies }),
    scrub: (text, hint) => inner.scrub(text, hint),
    ...(inner.tokenOf === undefined ? {} : { tokenOf: inner.tokenOf }),
    addKnown(value, type) {
      inner.addKnown(value, type);
      version++;
      const one = { value, ...(type === undefined ? {} : { type }) };
      known = [...known, { name: "", ...one }];
      tell({ known: one });
    },
    readElsewhere(texts) {
      if (!isOpen()) return null;
      const { promise, resolve } = Promise.withResolvers<ReadTexts | null>();
      const request = (id: number): ScrubRequest => ({ id, texts, originals: wanted() });
      const answer = (given: ScrubAnswer | null): void => {
        if (given === null || "text" in given) return resolve(null);
        keep(texts, given.held);
        resolve(given.read);
      };
      const asking = question(request, answer, lengthOf(texts));
      if (asking.isLong && !texts.underWay) longAt = asking.since;
      ask(asking);
      return promise;
    },
    readsSoon() {
      if (!isOpen() || state === "lost") return false;
      if (worker === null) {
        const short = question(nothing, () => {}, 0);
        if (++hints >= WORTH_A_THREAD) ask(short);
        return false;
      }
      const now = originals.performanceNow();
      if (!isWorking || now - longAt < KEPT_FOR_LONG) return false;
      const since = now - SOON;
      return [...asked.values()].every((each) => !each.isLong && each.since > since);
    },
    scrubElsewhere(text) {
      if (!isOpen()) return null;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const answer = (given: ScrubAnswer | null): void =>
        resolve(given !== null && "text" in given ? given.text : null);
      ask(question((id) => ({ id, text }), answer, text.length));
      return promise;
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

/** Of the texts that can be long. */
function lengthOf({ exchange: x, call }: StepTexts): number {
  const sent = x?.requestBody?.length ?? 0;
  const parts = [...(x?.chunks ?? []), call?.args, call?.result, call?.error, ...(call?.yields ?? [])];
  return parts.reduce((sum, part) => sum + (part?.length ?? 0), sent);
}

/** Asked only to hear when the thread works. */
const nothing = (id: number): ScrubRequest => ({ id, text: "" });

/** A policy's own detectors. */
function hasFunctions({ policy }: ScrubberOptions): boolean {
  return (policy?.detectors ?? []).length > 0;
}
