import { type Hit, settle } from "../scan/hit.ts";
import { withoutMedia } from "../scrub/media.ts";
import type { Scanner } from "../scan/scan.ts";
import type { DetectorQueue, Verdict } from "./detector-queue.ts";

/** A scanner over detectors that answer later. A leaf without an answer makes `scan` throw, so that it is replaced. */
export interface WaitingScanner extends Scanner {
  /** every leaf of what is read now, or was read last, has had its answer */
  isWhole(): boolean;
  /** Runs `scan`, then waits for the answers to every leaf that had none. Never rejects. */
  prepare(scan: () => void): Promise<void>;
  /** The result of `scan`; answers are waited for on this thread if `waits` says so and the queue can do that. */
  answered<T>(scan: () => T, waits: boolean): T;
}

/** Ids and digests are never touched, and say nothing; nor do signs alone. */
const NO_TEXT =
  /^(?:[0-9a-f]{16}|[0-9a-f]{32,128}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[^\p{L}\p{N}]{0,64})$/iu;
const MOST_UNITS = 8 * 1024 * 1024;
/** An answer may take a text apart further than it was without one. */
const MOST_ROUNDS = 3;

export function waitingScanner(scanner: Scanner, queue: DetectorQueue): WaitingScanner {
  const answers = new Map<string, readonly Hit[]>();
  /** leaves with a pending request, so that none is sent twice */
  const asked = new Map<string, PromiseWithResolvers<void>>();
  let units = 0;
  let wanted = new Set<string>();

  function keep(leaf: string, verdict: Verdict): void {
    if (verdict === null) return;
    if (units > MOST_UNITS) {
      answers.clear();
      units = 0;
    }
    if (!answers.has(leaf)) units += leaf.length + 64;
    answers.set(leaf, withoutMedia(leaf, 0, [...verdict]));
  }

  function ask(leaf: string): Promise<void> {
    const before = asked.get(leaf);
    if (before !== undefined) return before.promise;
    const answer = Promise.withResolvers<void>();
    asked.set(leaf, answer);
    queue.ask(leaf, (verdict) => {
      asked.delete(leaf);
      keep(leaf, verdict);
      answer.resolve();
    });
    return answer.promise;
  }

  function collect<T>(scan: () => T): { result: T; leaves: string[] } {
    wanted = new Set();
    const result = scan();
    return { result, leaves: [...wanted] };
  }

  return {
    ...scanner,
    scan(text, from, to, field) {
      const leaf = text.slice(from, to);
      if (NO_TEXT.test(leaf)) return scanner.scan(text, from, to, field);
      const answer = answers.get(leaf);
      if (answer === undefined) {
        wanted.add(leaf);
        throw new Error("no detector has answered for this text");
      }
      const own = answer.map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
      return settle([...scanner.scan(text, from, to, field), ...own]);
    },
    isWhole: () => wanted.size === 0,
    async prepare(scan) {
      for (let round = 1; round < MOST_ROUNDS; round++) {
        const { leaves } = collect(scan);
        if (leaves.length === 0) return;
        await Promise.all(leaves.map(ask));
        if (!leaves.some((leaf) => answers.has(leaf))) return;
      }
    },
    answered(scan, waits) {
      for (let round = 1; ; round++) {
        const { result, leaves } = collect(scan);
        if (leaves.length === 0 || queue.standStill === undefined || round === MOST_ROUNDS) return result;
        for (const leaf of leaves) void ask(leaf);
        if (!waits) return result;
        queue.standStill(() => !leaves.some((leaf) => asked.has(leaf)));
        if (!leaves.some((leaf) => answers.has(leaf))) return result;
      }
    },
  };
}
