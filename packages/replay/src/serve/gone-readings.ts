import { DRAWN } from "./drawn.ts";
import type { GoneDraws } from "../tape/journal-tape.ts";
import type { Ledger } from "../verdict/ledger.ts";

const MOST_NAMED = 3;

/**
 * Notes readings of clock and random sources that the recorded run made and this run did not. They are no divergence: what
 * the program does with a value is compared, and a reading alone changes nothing.
 */
export function noteGoneReadings(ledger: Ledger, gone: readonly GoneDraws[]): void {
  if (gone.length === 0) return;
  const named = gone.slice(0, MOST_NAMED).map(({ kind, count, before }) => {
    const where = before === null ? "after the last step" : `before step ${before + 1}`;
    return `${count} of ${DRAWN[kind]} ${where}`;
  });
  const more = gone.slice(MOST_NAMED).reduce((sum, { count }) => sum + count, 0);
  const others = more === 0 ? "" : `, and ${more} more`;
  ledger.noted(`readings that the recorded run made and this run did not: ${named.join(", ")}${others}`);
}
