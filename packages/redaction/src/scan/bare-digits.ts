import { type Hit, TYPES } from "./hit.ts";

/** Letters beside white space, or letters of another script: a sentence, which is read as anywhere. */
const FREE_TEXT = /\p{L}{2}\s|\s\p{L}{2}|[^\P{L}\u0000-\u024f\uff21-\uff5a]/u;
const BARE = /^[\p{Nd}\p{Cf}\u034f\ufe00-\ufe0f]+$/u;
/** Types of which a run of digits says nothing by itself; a secret or a type of the policy's stays. */
const EXCUSED: ReadonlySet<string> = new Set(
  TYPES.filter((type) => !["PEM", "JWT", "KEY", "WALLET", "EMAIL", "SECRET", "AUTH"].includes(type)),
);

/** Hexadecimal digits in dashes or with letters behind the check digits pass an account number's by chance. */
const HEX_ID = /^[0-9a-f]{4}(?=[0-9-]*[a-f])[0-9a-f-]+$/i;
const IN_FOURS = /^\w{4}(?:[ -]?\w{4})*(?:[ -]?\w{1,4})?$/;

function isByChance({ type, rule }: Hit, text: string): boolean {
  if (rule === "iban") return HEX_ID.test(text) || !IN_FOURS.test(text);
  return (EXCUSED.has(type) || rule === "auth.code") && BARE.test(text);
}

/**
 * The hits of a leaf under the name of an id, a time or a measure: digits without separators stay, since ids pass the
 * check digits of cards and national numbers by chance. All other shapes, and free text, are judged as anywhere.
 */
export function withoutBareDigits(leaf: string, hits: Hit[]): Hit[] {
  if (FREE_TEXT.test(leaf)) return hits;
  return hits.filter((hit) => !isByChance(hit, leaf.slice(hit.start, hit.end)));
}
