import type { Hit } from "../hit.ts";
import { isSecretName } from "../secret-name.ts";
import { isDigit, isSpace, isWord } from "./character.ts";

const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;
const SHORTEST_VALUE = 8;
const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Api-Token|Digest|Negotiate)[ \t]{1,4}/iy;
const VALUE_STOPS = new Set([...`"'\`<>(){}[],;&|\\`].map((c) => c.charCodeAt(0)));
const PARAMETER_MARKS = new Set([..."?&#"].map((c) => c.charCodeAt(0)));
const PARAMETER_STOPS = new Set([...`"'\`<>&#`].map((c) => c.charCodeAt(0)));
/** Last letters of the words that make a name secret: the cheap first look at each `:` and `=`. */
const LAST_LETTERS = new Set([..."ntdleyhszrNTDLEYHSZR"].map((c) => c.charCodeAt(0)));

/** `name = value`, `name: value`, `"name": "value"`, `?name=value`, where the name is secret; `at` is the `=` or `:`. */
export function assignment(text: string, at: number, from: number, to: number): Hit | null {
  let nameEnd = at;
  while (
    nameEnd > from &&
    at - nameEnd < 3 &&
    (isSpace(text.charCodeAt(nameEnd - 1)) || isQuote(text.charCodeAt(nameEnd - 1)))
  )
    nameEnd--;
  if (nameEnd === from || !LAST_LETTERS.has(text.charCodeAt(nameEnd - 1))) return null;
  const floor = Math.max(from, nameEnd - LONGEST_NAME);
  let nameStart = nameEnd;
  while (nameStart > floor && isNameUnit(text.charCodeAt(nameStart - 1))) nameStart--;
  if (!isSecretName(text.slice(nameStart, nameEnd))) return null;
  // in the query of a URL every value of a secret name counts, as it does where the URL stands alone
  const isParameter = nameEnd === at && nameStart > from && PARAMETER_MARKS.has(text.charCodeAt(nameStart - 1));
  return isParameter ? parameter(text, at + 1, to) : value(text, at + 1, to);
}

const isQuote = (unit: number): boolean => unit === 34 || unit === 39 || unit === 96;
const isNameUnit = (unit: number): boolean => isWord(unit) || unit === 95 || unit === 45;

function parameter(text: string, start: number, to: number): Hit | null {
  const limit = Math.min(to, start + LONGEST_VALUE);
  let end = start;
  while (end < limit && !PARAMETER_STOPS.has(text.charCodeAt(end)) && !isSpace(text.charCodeAt(end))) end++;
  const found = text.slice(start, end);
  return found === "" || /^[$%<{[*.]/.test(found) ? null : { start, end, type: "AUTH" };
}

function value(text: string, after: number, to: number): Hit | null {
  let start = after;
  // `:=`, `=>`, `==` are not assignments of a literal; a quote may be escaped in a string of code
  while (start < to && start - after < 4 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start++;
  if (text.charCodeAt(start) === 92) start++;
  const quote = isQuote(text.charCodeAt(start)) ? text.charCodeAt(start++) : 0;
  SCHEME.lastIndex = start;
  if (SCHEME.test(text) && SCHEME.lastIndex < to) start = SCHEME.lastIndex;
  const limit = Math.min(to, start + LONGEST_VALUE);
  let end = start;
  for (; end < limit; end++) {
    const unit = text.charCodeAt(end);
    if (
      quote === 0
        ? VALUE_STOPS.has(unit) || isSpace(unit)
        : unit === quote || unit === 92 || isSpace(unit) || unit === 60
    )
      break;
  }
  if (quote === 0) while (end > start && ".!?:".includes(text[end - 1] as string)) end--;
  const found = text.slice(start, end);
  return isCredential(found) ? { start, end, type: "AUTH" } : null;
}

/** Prose, code and placeholders stand behind secret names too: only what mixes letters and digits counts. */
function isCredential(found: string): boolean {
  if (found.length < SHORTEST_VALUE || /^[$%<{[*.]/.test(found) || found.includes("://") || found.includes("..."))
    return false;
  let digits = 0;
  let letters = 0;
  const seen = new Set<number>();
  for (let i = 0; i < found.length; i++) {
    const unit = found.charCodeAt(i);
    seen.add(unit);
    if (isDigit(unit)) digits++;
    else if (isWord(unit)) letters++;
  }
  if (seen.size < 5) return false;
  return digits > 0 && letters > 0;
}
