import { VALUE_LINES_MIME } from "@reenact/envelope";
import { scrubText, Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";

/** So many UTF-16 units are read together at most. */
const MOST_TOGETHER = 4 * 1024 * 1024;

/**
 * Typed texts of the values that a generator yields. They are read together, since a value may be cut between them: its token
 * then stands where it began. `one` redacts a text alone, where they cannot be read together.
 */
export function scrubYields(
  yields: readonly string[],
  one: (text: string) => string,
  scrubber: Scrubber,
  tally: Tally,
): string[] {
  const out: string[] = [];
  for (let from = 0; from < yields.length;) {
    let to = from;
    for (let size = 0; to < yields.length && (to === from || size <= MOST_TOGETHER); to++)
      size += (yields[to] as string).length;
    const block = yields.slice(from, to);
    out.push(...(block.length === 1 ? block.map(one) : (together(block, scrubber, tally) ?? block.map(one))));
    from = to;
  }
  return out;
}

/** Null: they could not be read. */
function together(yields: readonly string[], scrubber: Scrubber, tally: Tally): string[] | null {
  const own = new Tally();
  const out = scrubText(scrubber, yields.join("\n"), own, { mime: VALUE_LINES_MIME }).split("\n");
  if (out.length !== yields.length || !out.every((text) => text.endsWith("]") || /^-?\d+$/.test(text))) return null;
  tally.in("call", "yields").add(
    own.counts,
    own.places.map((place) => ({ ...place, at: "" })),
  );
  return out;
}
