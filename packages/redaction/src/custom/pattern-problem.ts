import type { Pattern } from "./detector.ts";
import { parsePattern, PatternError } from "./parse-pattern.ts";
import { mostSteps } from "./pattern-cost.ts";

const LONGEST_MATCH = 1024;
const MOST_STEPS = 2048;

/**
 * Why an expression may not be used, in one line; null: it may. Every match must have an upper bound, and a failing
 * try at one offset must be over after a bounded number of steps: then a search is linear in the text.
 */
export function patternProblem({ pattern, ignoreCase }: Pick<Pattern, "pattern" | "ignoreCase">): string | null {
  try {
    // what the engine itself refuses comes first, in its own words
    void new RegExp(pattern, ignoreCase === true ? "iu" : "u");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  try {
    const parsed = parsePattern(pattern, ignoreCase === true);
    if (parsed.shortest === 0) return "it matches the empty text";
    if (parsed.longest > LONGEST_MATCH)
      return `a match may be ${parsed.longest} characters long; at most ${LONGEST_MATCH} are allowed`;
    const { steps, at } = mostSteps(parsed.start, MOST_STEPS);
    if (steps > MOST_STEPS) return `not linear: from offset ${at} on, the same text can be matched in too many ways`;
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
