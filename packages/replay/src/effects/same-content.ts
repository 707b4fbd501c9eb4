import type { Ledger } from "../verdict/ledger.ts";
import { compareMarks, markedNumbers } from "../match/compare-marks.ts";
import type { Tape } from "../tape/tape.ts";

/** A digested text: `sha256` numbers its redaction tokens, `tokens` digests the tokens themselves. */
export interface Digested {
  sha256?: string | undefined;
  tokens?: string | undefined;
  keys?: Record<string, number> | undefined;
  marks?: string | undefined;
}

/**
 * Whether a text of now is the recorded one. Tokens that another key than the recording's has made are compared by
 * place, and counted; tokens of the same key stand for the same values or for others.
 */
export function isSameContent(ledger: Ledger, recorded: Digested | undefined, now: Digested | undefined): boolean {
  if (recorded?.sha256 !== now?.sha256) return false;
  if (markedDifference(recorded, now) !== null) return false;
  if (isOfTwoKeys(recorded, now)) ledger.effectsByPlace += markedNumbers(marksIn(recorded) ?? "");
  if (recorded?.tokens === undefined || now?.tokens === undefined || recorded.tokens === now.tokens) return true;
  const byPlace = tokensOfOtherKeys(now, recordedKeys(ledger.tape));
  ledger.effectsByPlace += byPlace;
  return byPlace > 0;
}

/** Whether another key made the marks of now. */
function isOfTwoKeys(recorded: Digested | undefined, now: Digested | undefined): boolean {
  return hasMarks(recorded) && hasMarks(now) && keyOf(recorded) !== keyOf(now);
}

/** How many tokens of a text none of these keys has made. */
function tokensOfOtherKeys({ keys = {} }: Digested, own: ReadonlySet<string>): number {
  return Object.entries(keys).reduce((sum, [key, count]) => (own.has(key) ? sum : sum + count), 0);
}

/** Whether redacted values in equal texts are other numbers, or other spellings; null: neither, or another key made the marks. */
export function markedDifference(
  recorded: Digested | undefined,
  now: Digested | undefined,
): "number" | "spelling" | null {
  if (keyOf(recorded) !== keyOf(now)) return null;
  const result = compareMarks(marksIn(recorded), marksIn(now));
  return result === "same" ? null : result;
}

const hasMarks = (of: Digested | undefined): boolean => of?.marks !== undefined;
const keyOf = (of: Digested | undefined): string | undefined => of?.marks?.split(" ", 1)[0];

function marksIn(of: Digested | undefined): string | undefined {
  const key = keyOf(of);
  return key === undefined ? undefined : of?.marks?.slice(key.length + 1);
}

/** Names of the keys that made the tokens of a recording. */
export function recordedKeys(tape: Tape): ReadonlySet<string> {
  return new Set(tape.ordered.flatMap(({ record }) => record.redacted?.kid ?? []));
}
