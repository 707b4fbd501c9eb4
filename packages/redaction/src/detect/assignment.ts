import type { Hit } from "../hit.ts";
import { FOREIGN_PHRASES } from "../foreign-passwords.ts";
import { isForeign, isSecretName, isVendorName } from "../secret-name.ts";
import type { Area } from "./area.ts";
import { isForeignLetter, isSpace, isWord } from "./character.ts";
import { isCredential, kindsOf } from "./credential.ts";
import { entropyOf } from "./placeholder.ts";

const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;
const SCHEME =
  /(?:Bearer|Basic|Token|ApiKey|Api-Token|Digest|Negotiate|OAuth|Hawk|JWT|SSWS|(?:AWS4|GOOG4)-[A-Z0-9-]{1,24})[ \t]{1,4}/iy;
const VALUE_STOPS = new Set([...`"'\`<>(){}[],;&|\\`].map((c) => c.charCodeAt(0)));
const PARAMETER_MARKS = new Set([..."?&#;"].map((c) => c.charCodeAt(0)));
const PARAMETER_STOPS = new Set([...`"'\`<>&#;`].map((c) => c.charCodeAt(0)));
/** Last letters of the words that make a name secret: the cheap first look at each `:` and `=`. */
const LAST_LETTERS = new Set([..."abcdeghiklmnoprstvwxyz2ABCDEGHIKLMNOPRSTVWXYZ"].map((c) => c.charCodeAt(0)));
/** They say password, and other things: what stands behind must look like nothing else. */
const WEAK_NAMES = new Set(["clave", "parola"]);
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
  if (nameEnd === from || !mayEndName(text.charCodeAt(nameEnd - 1))) return null;
  const floor = Math.max(from, nameEnd - LONGEST_NAME);
  let nameStart = nameEnd;
  while (nameStart > floor && isNameUnit(text.charCodeAt(nameStart - 1))) nameStart--;
  const name = text.slice(nameStart, nameEnd);
  if (!isSecretName(name) && !isPhrase(text, nameStart, from, name)) {
    if (WEAK_NAMES.has(name.toLowerCase())) {
      const hit = value(text, at, area, false);
      return hit !== null && kindsOf(text.slice(hit.start, hit.end)) > 2 ? hit : null;
    }
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
const isNameUnit = (unit: number): boolean => isWord(unit) || unit === 95 || unit === 45 || isForeignLetter(unit);
const mayEndName = (unit: number): boolean => LAST_LETTERS.has(unit) || isForeignLetter(unit);
/** `mot de passe`: the name's last word, and the one before it in the text. */
function isPhrase(text: string, start: number, from: number, name: string): boolean {
  const last = name.toLowerCase();
  if (!FOREIGN_PHRASES.has(last)) return false;
  const before = /([^\s]{1,12})[ -]$/.exec(text.slice(Math.max(from, start - 14), start))?.[1]?.toLowerCase() ?? "";
  return isForeign(last, before);
}
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
  return found === "" || /^(?:[$<{[*.]|%(?![0-9A-Fa-f]{2}))/.test(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.name" };
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
