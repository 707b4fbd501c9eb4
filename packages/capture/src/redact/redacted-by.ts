import { decodeValue, type StepRecord } from "@reenact/envelope";
import { guarded } from "../fault/faults.ts";
import { plainJson } from "./plain-json.ts";
import type { Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";
import type { RedactedPlace } from "./scrubbed.ts";

/** Places that a replay compares: requests and arguments. Only these keep their marks. */
const COMPARED = /^\/(?:request\/(?:url|headers|body|options)|call\/args)(?:\/|$)/;

function placeInRecord({ at, rule, type, n, ...rest }: RedactedPlace): RedactedPlace {
  const marks = COMPARED.test(at) ? rest.marks : undefined;
  return { at, rule, type, n, ...(marks === undefined ? {} : { marks }) };
}

/** Marked places of one value. */
const MOST_PLACES = 64;

/** What a record says of its redaction. */
export function redactedBy(
  { policy, rules, kid }: Scrubber,
  { counts, places }: Pick<Tally, "counts" | "places">,
): NonNullable<StepRecord["redacted"]> {
  return {
    policy,
    rules,
    kid,
    counts,
    ...(places.length === 0 ? {} : { places: places.map((place) => ({ ...placeInRecord(place) })) }),
  };
}

/** The marks of the redacted values in a value. A replay compares them. */
export interface ValueMarks {
  readonly kid: string;
  /** `at` is a JSON pointer into the value; into its typed encoding if the value has no JSON */
  readonly places: readonly RedactedPlace[];
}

/** The marks of the values that redaction replaced. `text`: the typed encoding before redaction. Null: there are none. */
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
