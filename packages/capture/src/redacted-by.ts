import { decodeValue, type StepRecord } from "@reenact/envelope";
import { guarded } from "./guard.ts";
import { plainJson } from "./plain-json.ts";
import type { Tally } from "./scrub-exchange.ts";
import type { RedactedPlace, Scrubber } from "./scrubber.ts";

/** Of what the program sends and hands over: a replay compares it. */
const COMPARED = /^\/(?:request\/(?:url|headers|body|options)|call\/args)(?:\/|$)/;

function placeInRecord({ at, rule, type, n, ...rest }: RedactedPlace): RedactedPlace {
  const marks = COMPARED.test(at) ? rest.marks : undefined;
  return { at, rule, type, n, ...(marks === undefined ? {} : { marks }) };
}

/** Of one value. */
const MOST_PLACES = 64;

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

/** Marks of a value, which a replay compares. */
export interface ValueMarks {
  readonly kid: string;
  /** `at` points into the value as JSON; into its typed encoding where it is none */
  readonly places: readonly RedactedPlace[];
}

/** Marks of what redaction has replaced in a value; `text`: its typed encoding, as it was. Null: nothing in it has one. */
export function valueMarks(
  scrubber: Scrubber,
  text: string,
  { counts, places }: Pick<Tally, "counts" | "places">,
): ValueMarks | null {
  if (Object.keys(counts).length === 0) return null;
  const json = guarded("marks", null, () => plainJson(decodeValue(text), text));
  const found = json === null ? places : (scrubber.scrub(json, { mime: "application/json" }).places ?? []);
  const marked = found.filter(({ marks }) => marks !== undefined).slice(0, MOST_PLACES);
  return marked.length === 0 ? null : { kid: scrubber.kid, places: marked };
}
