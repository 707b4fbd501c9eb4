import { type Hit, settle } from "../hit.ts";
import type { Scanner } from "../scan.ts";
import { checked, withoutTokens } from "./custom-scanner.ts";
import type { AsyncDetector } from "./detector.ts";

/** A scanner over detectors that answer later. */
export interface WaitingScanner extends Scanner {
  /**
   * Runs `scan`, asks the detectors for every leaf that it had no answer for, and waits for them, at most `ms`
   * milliseconds. A leaf without an answer makes `scan` throw, so that it is replaced whole.
   */
  prepare(scan: () => void, ms: number): Promise<void>;
}

const MOST_UNITS = 8 * 1024 * 1024;

export function waitingScanner(scanner: Scanner, detectors: readonly AsyncDetector[]): WaitingScanner {
  const answers = new Map<string, Hit[]>();
  let units = 0;
  let wanted: Set<string> | null = null;

  function keep(leaf: string, hits: Hit[]): void {
    if (units > MOST_UNITS) {
      answers.clear();
      units = 0;
    }
    answers.set(leaf, hits);
    units += leaf.length + 64;
  }

  async function ask(leaf: string, ms: number): Promise<void> {
    const signal = AbortSignal.timeout(ms);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("time is over")), { once: true });
    });
    try {
      const found = detectors.map(async (each) => checked(leaf, await each.findLater(leaf, signal), each));
      const hits = await Promise.race([Promise.all(found), late]);
      keep(leaf, withoutTokens(leaf, hits.flat()));
    } catch {
      // no answer: the leaf will be replaced
    }
  }

  return {
    ...scanner,
    scan(text, from, to, place) {
      const leaf = text.slice(from, to);
      const answer = answers.get(leaf);
      if (answer === undefined) {
        wanted?.add(leaf);
        throw new Error("no detector has answered for this text");
      }
      const own = answer.map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
      return settle([...scanner.scan(text, from, to, place), ...own]);
    },
    async prepare(scan, ms) {
      const leaves = new Set<string>();
      wanted = leaves;
      try {
        scan();
      } finally {
        wanted = null;
      }
      await Promise.all([...leaves].map((leaf) => ask(leaf, ms)));
    },
  };
}
