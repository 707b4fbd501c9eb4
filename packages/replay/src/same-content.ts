import type { Ledger } from "./ledger.ts";
import type { Tape } from "./tape.ts";

/** A digested text: `sha256` numbers its redaction tokens, `tokens` digests the tokens themselves. */
export interface Digested {
  sha256?: string | undefined;
  tokens?: string | undefined;
  keys?: Record<string, number> | undefined;
}

/**
 * Whether a text of now is the recorded one. Tokens that another key than the recording's has made are compared by
 * place, and counted; tokens of the same key stand for the same values or for others.
 */
export function isSameContent(ledger: Ledger, recorded: Digested | undefined, now: Digested | undefined): boolean {
  if (recorded?.sha256 !== now?.sha256) return false;
  if (recorded?.tokens === undefined || now?.tokens === undefined || recorded.tokens === now.tokens) return true;
  const own = recordedKeys(ledger.tape);
  let byPlace = 0;
  for (const [key, count] of Object.entries(now.keys ?? {})) if (!own.has(key)) byPlace += count;
  ledger.effectsByPlace += byPlace;
  return byPlace > 0;
}

/** Names of the keys that made the tokens of a recording. */
export function recordedKeys(tape: Tape): ReadonlySet<string> {
  return new Set(tape.ordered.flatMap(({ record }) => record.redacted?.kid ?? []));
}
