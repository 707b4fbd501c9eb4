import { findTokens } from "@reenact/envelope";
import { type Hit, settle } from "../scan/hit.ts";
import { withoutMedia } from "../scrub/media.ts";
import type { Scanner } from "../scan/scan.ts";
import type { Found, Pattern, SyncDetector } from "./detector.ts";
import { patternProblem } from "./pattern-problem.ts";

const TYPE = /^[A-Z][A-Z_]{0,31}$/;

/**
 * A scanner that also asks the patterns and functions of a policy. Throws here for a pattern that is not linear, and
 * in `scan` for a function that throws or points outside its text: the text is then replaced whole.
 */
export function withCustom(
  scanner: Scanner,
  patterns: readonly Pattern[],
  detectors: readonly SyncDetector[],
): Scanner {
  if (patterns.length + detectors.length === 0) return scanner;
  const finders = [...patterns.map(finderOf), ...detectors.map(guarded)];
  return {
    ...scanner,
    scan(text, from, to, field) {
      const hits = scanner.scan(text, from, to, field);
      const leaf = from === 0 && to === text.length ? text : text.slice(from, to);
      const own: Hit[] = finders.flatMap((find) => find(leaf));
      if (own.length === 0) return hits;
      const free = withoutMedia(leaf, 0, withoutTokens(leaf, own));
      return settle([...hits, ...free.map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }))]);
    },
  };
}

const MASKED = /[A-Z][A-Z_]{0,31}_MASKED/g;

/** A scanner that leaves alone what touches a mask: it has been redacted before. */
export function besideMasks(scanner: Scanner): Scanner {
  return {
    ...scanner,
    scan(text, from, to, field) {
      const hits = scanner.scan(text, from, to, field);
      if (hits.length === 0) return hits;
      const masks = [...text.slice(from, to).matchAll(MASKED)];
      if (masks.length === 0) return hits;
      return hits.filter(
        ({ start, end }) =>
          !masks.some(({ index, 0: mask }) => from + index < end && from + index + mask.length > start),
      );
    },
  };
}

type Find = (leaf: string) => Hit[];

function finderOf(pattern: Pattern): Find {
  const problem = patternProblem(pattern);
  if (problem !== null) throw new Error(`pattern of ${pattern.type}: ${problem}`);
  const expression = new RegExp(pattern.pattern, pattern.ignoreCase === true ? "giu" : "gu");
  const rule = `custom-${pattern.type.toLowerCase()}`;
  return (leaf) => {
    const hits: Hit[] = [];
    for (const match of leaf.matchAll(expression)) {
      if (match[0] !== "")
        hits.push({ start: match.index, end: match.index + match[0].length, type: pattern.type, rule });
    }
    return hits;
  };
}

function guarded(detector: SyncDetector): Find {
  return (leaf) => checked(leaf, detector.find(leaf), detector);
}

/** What a function of the user's has found, as hits. Throws for anything that is no stretch of the text. */
export function checked(leaf: string, found: Iterable<Found>, detector: { name: string; type: string }): Hit[] {
  const hits: Hit[] = [];
  for (const { start, end, type = detector.type } of found) {
    const inside = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= leaf.length;
    if (!inside || !TYPE.test(type)) throw new Error(`detector ${detector.name} answered what is no part of the text`);
    hits.push({ start, end, type, rule: detector.name });
  }
  return hits;
}

/** Tokens that stand there already are never taken apart. */
export function withoutTokens(leaf: string, hits: Hit[]): Hit[] {
  const tokens = findTokens(leaf);
  if (tokens.length === 0) return hits;
  return hits.filter((hit) => !tokens.some((token) => token.start < hit.end && token.end > hit.start));
}
