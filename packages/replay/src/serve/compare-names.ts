import { findTokens } from "@reenact/envelope";
import type { Ledger } from "../verdict/ledger.ts";
import type { ValueAlignment } from "../match/value-alignment.ts";
import { slotOf, type RecordedStep } from "../tape/tape.ts";

/** The names of a step, redacted. */
interface Names {
  readonly op: string;
  readonly path: string;
}

/** Numbers among siblings of one name: a step may be served from another one of them. */
const withoutNumbers = (path: string): string => path.replaceAll(/#\d+/g, "#");

/**
 * Reports other redacted values in the names of a step than were recorded. Steps are found by their names with these values
 * numbered, since a value has another token with another key.
 */
export function compareNames(
  { index, record }: RecordedStep,
  names: Names,
  alignment: Pick<ValueAlignment, "same">,
  ledger: Pick<Ledger, "diverged">,
): void {
  for (const name of ["op", "path"] as const) {
    const [recorded, now] = [record[name], names[name]];
    if (findTokens(now).length === 0 || alignment.same(withoutNumbers(recorded), withoutNumbers(now))) continue;
    const cause = `the name of step ${index + 1} holds another redacted value: ${now} (recorded: ${recorded})`;
    ledger.diverged(index + 1, slotOf(record), "changed", { pointer: "", recorded, now }, cause);
    return;
  }
}
