import type { Hit } from "../scan/hit.ts";
import { checked, withoutTokens } from "./custom-scanner.ts";
import type { AsyncDetector } from "./detector.ts";

/** What the detectors found in a text; null: one of them had no good answer, or none in time. */
export type Verdict = readonly Hit[] | null;

/** Where asynchronous detectors are asked. */
export interface DetectorQueue {
  /** Calls `done` once, within a bounded time. Never throws. */
  ask(text: string, done: (verdict: Verdict) => void): void;
  /** Synchronous variant: blocks the calling thread until `isDone`, or for a bounded time. Never throws. */
  standStill?(isDone: () => boolean): void;
}

/** milliseconds that detectors may take for one text, if the policy says nothing of it */
export const DETECTOR_MS = 2000;
/** A model that runs on this machine gains nothing from more, and a service may refuse them. */
const AT_ONCE = 8;

/** Asks `detectors` on this thread, about no more than eight texts at once; each text may take `ms` milliseconds. */
export function detectorQueue(detectors: readonly AsyncDetector[], ms: number): DetectorQueue {
  let free = AT_ONCE;
  const queue: (() => void)[] = [];

  async function verdictOn(text: string): Promise<Verdict> {
    if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
    else free--;
    try {
      return await inTime(text);
    } finally {
      const next = queue.shift();
      if (next === undefined) free++;
      else next();
    }
  }

  async function inTime(text: string): Promise<Verdict> {
    const abort = new AbortController();
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => {
      late.resolve(null);
      abort.abort(new Error(`${ms} ms are over`));
    }, ms);
    try {
      const found = detectors.map(async (each) => checked(text, await each.findLater(text, abort.signal), each));
      const hits = await Promise.race([Promise.all(found), late.promise]);
      return hits === null ? null : withoutTokens(text, hits.flat());
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask(text, done) {
      void (async () => done(await verdictOn(text)))();
    },
  };
}
