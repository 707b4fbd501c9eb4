import type { StepRecord } from "@reenact/envelope";
import type { Tally } from "./scrub-exchange.ts";
import type { RedactedPlace, Scrubber } from "./scrubber.ts";

/** Of what the program sends and hands over: a replay compares it. */
const COMPARED = /^\/(?:request\/(?:url|body|options)|call\/args)(?:\/|$)/;

function placeInRecord({ marks, ...place }: RedactedPlace): RedactedPlace {
  return marks !== undefined && COMPARED.test(place.at) ? { ...place, marks } : place;
}

/** What a record says of its redaction. */
export function redactedBy(
  { policy, rules, kid }: Scrubber,
  { counts, places }: Tally,
): NonNullable<StepRecord["redacted"]> {
  return {
    policy,
    rules,
    kid,
    counts,
    ...(places.length === 0 ? {} : { places: places.map((place) => ({ ...placeInRecord(place) })) }),
  };
}
