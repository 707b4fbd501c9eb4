import type { Hit } from "../hit.ts";
import { isSecretName, isVendorName } from "../secret-name.ts";
import type { Area } from "./area.ts";
import { isSpace, isWord } from "./character.ts";
import { entropyOf, isPlaceholder } from "./placeholder.ts";

const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;
const SHORTEST_VALUE = 8;
const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Api-Token|Digest|Negotiate)[ \t]{1,4}/iy;
const VALUE_STOPS = new Set([...`"'\`<>(){}[],;&|\\`].map((c) => c.charCodeAt(0)));
const PARAMETER_MARKS = new Set([..."?&#;"].map((c) => c.charCodeAt(0)));
const PARAMETER_STOPS = new Set([...`"'\`<>&#;`].map((c) => c.charCodeAt(0)));
/** Last letters of the words that make a name secret: the cheap first look at each `:` and `=`. */
const LAST_LETTERS = new Set([..."abcdeghiklmnprstvwxyz2ABCDEGHIKLMNPRSTVWXYZ"].map((c) => c.charCodeAt(0)));
/** `<add key="Password" value="…"/>`, `name: DB_PASSWORD, value: …` */
const NAMED_VALUE = /(?:key|name)["']?\s{0,3}[:=]\s{0,3}["']?([\w.-]{3,64})["']?[\s,]{1,40}$/i;
const LOOK_BACK = 140;

/** `name = value`, `name: value`, `"name": "value"`, `?name=value`, where the name is secret; `at` is the `=` or `:`. */
export function assignment(text: string, at: number, area: Area): Hit | null {
  if (at < area.valueTo || (text.charCodeAt(at) === 58 && text.charCodeAt(at + 1) === 61)) return null;
  const { from } = area;
  let nameEnd = at;
  while (
    nameEnd > from &&
    at - nameEnd < 3 &&
    (isSpace(text.charCodeAt(nameEnd - 1)) || isQuote(text.charCodeAt(nameEnd - 1)) || isWalrus(text, nameEnd - 1, at))
  )
    nameEnd--;
  if (nameEnd === from || !LAST_LETTERS.has(text.charCodeAt(nameEnd - 1))) return null;
  const floor = Math.max(from, nameEnd - LONGEST_NAME);
  let nameStart = nameEnd;
  while (nameStart > floor && isNameUnit(text.charCodeAt(nameStart - 1))) nameStart--;
  const name = text.slice(nameStart, nameEnd);
  if (!isSecretName(name)) {
    if (isVendorName(name)) return token(text, at + 1, area);
    if (name.toLowerCase() !== "value") return null;
    const outer = NAMED_VALUE.exec(text.slice(Math.max(from, nameStart - LOOK_BACK), nameStart))?.[1];
    return outer !== undefined && isSecretName(outer) ? value(text, at, area, true) : null;
  }
  // in the query of a URL every value of a secret name counts, as it does where the URL stands alone
  const isParameter = nameEnd === at && nameStart > from && PARAMETER_MARKS.has(text.charCodeAt(nameStart - 1));
  return isParameter ? parameter(text, at + 1, area) : value(text, at, area, isSetting(text, at, name));
}

const isQuote = (unit: number): boolean => unit === 34 || unit === 39 || unit === 96;
const isNameUnit = (unit: number): boolean => isWord(unit) || unit === 95 || unit === 45;
const isWalrus = (text: string, at: number, equals: number): boolean =>
  text.charCodeAt(at) === 58 && text.charCodeAt(equals) === 61 && at + 1 === equals;
/** `DB_PASSWORD=…` and `password = "…"` set a value; `password: …` may be prose. */
const isSetting = (text: string, at: number, name: string): boolean =>
  text.charCodeAt(at) === 61 && (name === name.toUpperCase() || /^\s{0,3}["'`]/.test(text.slice(at + 1, at + 5)));

function parameter(text: string, start: number, area: Area): Hit | null {
  const limit = Math.min(area.to, start + LONGEST_VALUE);
  let end = start;
  while (end < limit && !PARAMETER_STOPS.has(text.charCodeAt(end)) && !isSpace(text.charCodeAt(end))) end++;
  area.valueTo = end;
  const found = text.slice(start, end);
  return found === "" || /^[$%<{[*.]/.test(found) ? null : { start, end, type: "AUTH", rule: "auth.name" };
}

/** A random text behind the name of a service, as its documentation writes it. */
function token(text: string, after: number, area: Area): Hit | null {
  const hit = value(text, after - 1, area, false);
  if (hit === null) return null;
  const found = text.slice(hit.start, hit.end);
  return /^[A-Za-z0-9_-]{32,90}$/.test(found) && /[A-Za-z]/.test(found) && entropyOf(found) > 3.4 ? hit : null;
}

function value(text: string, at: number, area: Area, isSet: boolean): Hit | null {
  const { to } = area;
  let start = at + 1;
  // `=>` before a literal
  if (text.charCodeAt(start) === 62 && text.charCodeAt(at) === 61) start++;
  const after = start;
  while (start < to && start - after < 4 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start++;
  // a quote may be escaped in a string of code
  if (text.charCodeAt(start) === 92) start++;
  const quote = isQuote(text.charCodeAt(start)) ? text.charCodeAt(start++) : 0;
  SCHEME.lastIndex = start;
  const scheme = SCHEME.test(text) && SCHEME.lastIndex < to;
  if (scheme) start = SCHEME.lastIndex;
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
  area.valueTo = end;
  // what is cut off by points is a sample
  if (text.startsWith("..", end - 2) || text.startsWith("..", end)) return null;
  if (quote === 0) while (end > start && ".!?:".includes(text[end - 1] as string)) end--;
  const found = text.slice(start, end);
  return isCredential(found, isSet || scheme) ? { start, end, type: "AUTH", rule: "auth.assignment" } : null;
}

/**
 * Prose, code and placeholders stand behind secret names too. Letters and digits together count; where a value is
 * plainly set (`isSet`), any two kinds of characters do.
 */
function isCredential(found: string, isSet: boolean): boolean {
  if (found.length < SHORTEST_VALUE || found.includes("://") || isPlaceholder(found)) return false;
  const digits = /[0-9]/.test(found);
  const letters = /[A-Za-z]/.test(found);
  if (new Set(found).size < 5 || (found.length >= 20 && entropyOf(found) < 2.5)) return false;
  if (digits && letters) return true;
  if (!isSet || /^[a-zA-Z]+(?:[._()[\]]+[a-zA-Z]*)+$/.test(found)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(found)).length;
  return kinds >= (/^[A-Za-z]+$/.test(found) ? 3 : 2) || (found.length >= 12 && digits);
}
