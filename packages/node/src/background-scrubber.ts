import type { Worker } from "node:worker_threads";
import { live, originals, type ScrubHint, type Scrubbed } from "@reenact/capture";
import type { RedactingScrubber, ScrubberOptions } from "@reenact/redaction";
import type { ScrubAnswer, ScrubRequest } from "./scrub-worker.ts";
import { ownThread } from "./own-code/own-thread.ts";

export interface BackgroundScrubber extends RedactingScrubber {
  prepare(text: string, hint?: ScrubHint, withinMs?: number): Promise<void> | null;
  /** Ends the thread, if there is one. */
  close(): void;
}

/** Texts of which no more than this must be read are read on this thread. UTF-16 units */
const LARGE = 64 * 1024;
/** A step is to be on the disk 250 ms after its settle: behind this its texts are read on this thread after all. */
const PATIENCE_MS = 60;
/** The same before the thread has ever answered: its start may take longer than there is time, and so may a first look. */
const COLD_MS = 20;
/** Who stands behind so many others would wait in vain. */
const MOST_AHEAD = 2;
const MOST_READY = 16;

interface Asked {
  readonly text: string;
  readonly hint: ScrubHint;
  readonly version: number;
  readonly waiting: Set<() => void>;
}

/**
 * Has long texts read by a thread of its own, with the same key, policy and known values; so the agent's thread never
 * stands still for them. The thread is started by the first such text. Where it cannot be had, or is late, everything
 * is as without it.
 */
export function backgroundScrubber(inner: RedactingScrubber, options: ScrubberOptions): BackgroundScrubber {
  /** null: not started; "none": there is none to be had */
  let worker: Worker | "none" | null = null;
  /** counts what has become known: an answer that was made without it is worth nothing */
  let version = 0;
  let last = 0;
  /** number of the last answer, 0: none yet; they come in the order of the questions */
  let answered = 0;
  const asked = new Map<number, Asked>();
  let ready: { readonly text: string; readonly hint: ScrubHint; readonly scrubbed: Scrubbed }[] = [];

  function give(message: ScrubRequest): boolean {
    try {
      if (worker === null) worker = start();
      if (worker === "none") return false;
      worker.postMessage(message, []);
      return true;
    } catch {
      lose(); // a policy with functions cannot go to another thread
      return false;
    }
  }

  function start(): Worker {
    const thread = ownThread("@reenact/node/scrub-worker", { workerData: options, name: "reenact-redaction" });
    // a listener for messages holds the process again: it comes before
    thread.on("message", take).on("error", lose).on("exit", lose);
    thread.unref();
    return thread;
  }

  function lose(): void {
    worker = "none";
    for (const { waiting } of asked.values()) for (const done of waiting) done();
    asked.clear();
  }

  function take({ id, text, edits, counts, places }: ScrubAnswer): void {
    answered = id;
    const question = asked.get(id);
    if (question === undefined) return;
    asked.delete(id);
    if (question.version === version) {
      if (ready.length >= MOST_READY) ready.shift();
      const scrubbed: Scrubbed = { text: text ?? question.text, edits, counts };
      // no part of what is compared, as in an answer of this thread
      Object.defineProperty(scrubbed, "places", { value: places });
      ready.push({ text: question.text, hint: question.hint, scrubbed });
    }
    for (const done of question.waiting) done();
  }

  /** A question that is under way, or a new one. Null: there is nobody to ask. */
  function ask(text: string, hint: ScrubHint): Asked | null {
    for (const each of asked.values()) if (each.version === version && isOf(each, text, hint)) return each;
    const id = ++last;
    if (!give({ id, text, hint })) return null;
    const question = { text, hint, version, waiting: new Set<() => void>() };
    asked.set(id, question);
    return question;
  }

  /** How many questions the thread answers before this one, those among them that nobody waits for any more. */
  function ahead(text: string, hint: ScrubHint): number {
    for (const [id, each] of asked) if (each.version === version && isOf(each, text, hint)) return id - 1 - answered;
    return last - answered;
  }

  /** The text is read here: nobody waits for an answer any more. */
  function forget(text: string, hint: ScrubHint): void {
    for (const [id, each] of asked) if (each.waiting.size === 0 && isOf(each, text, hint)) asked.delete(id);
  }

  return {
    policy: inner.policy,
    rules: inner.rules,
    kid: inner.kid,
    passed: inner.passed,
    unread: (text, hint) => inner.unread(text, hint),
    scrub(text, hint = {}) {
      if (text.length <= LARGE) return inner.scrub(text, hint);
      const at = ready.findIndex((each) => isOf(each, text, hint));
      if (at === -1) {
        forget(text, hint);
        return inner.scrub(text, hint);
      }
      const [found] = ready.splice(at, 1);
      const { scrubbed } = found as (typeof ready)[number];
      inner.passed.add(scrubbed.text, hint);
      return scrubbed;
    },
    addKnown(value, type) {
      inner.addKnown(value, type);
      version++;
      ready = [];
      if (worker !== null) give({ known: { value, ...(type === undefined ? {} : { type }) } });
      else
        options = {
          ...options,
          known: [...(options.known ?? []), { name: "", value, ...(type === undefined ? {} : { type }) }],
        };
    },
    prepare(text, hint = {}, withinMs) {
      if (text.length <= LARGE || worker === "none" || inner.unread(text, hint) <= LARGE) return null;
      if (ready.some((each) => isOf(each, text, hint))) return null;
      if (withinMs === undefined && ahead(text, hint) >= MOST_AHEAD) return null;
      return live(() => {
        const question = ask(text, hint);
        if (question === null) return null;
        const { promise, resolve } = Promise.withResolvers<void>();
        const done = (): void => {
          originals.clearTimeout(timer);
          question.waiting.delete(done);
          resolve();
        };
        const timer = originals.setTimeout(done, withinMs ?? (answered > 0 ? PATIENCE_MS : COLD_MS)).unref();
        question.waiting.add(done);
        return promise;
      });
    },
    close() {
      const thread = worker;
      lose();
      if (thread !== null && thread !== "none") void live(() => thread.terminate()).catch(() => {});
    },
  };
}

function isOf(
  each: { readonly text: string; readonly hint: ScrubHint },
  text: string,
  { mime, key }: ScrubHint,
): boolean {
  return each.hint.mime === mime && each.hint.key === key && each.text === text;
}
