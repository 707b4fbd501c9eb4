import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";
import { isExpression } from "./code-value.ts";
import { isCredential } from "./credential.ts";
import { entropyOf } from "./placeholder.ts";

const LONGEST_VALUE = 512;
const WORD_LIST = /["'`\s]{0,3}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/y;
/** The salts of WordPress: all that a keyboard has. */
const SALT = /^(?=(?:[^]*[^A-Za-z0-9\s.,'"!?:;()-]){3})(?=[^]*[0-9])(?=[^]*[a-z])(?=[^]*[A-Z])[^\n]{40,}$/;
const LONGEST_SALT = 128;
/** What stands in passwords between quotes, and not in names. */
const SIGNS = /^[^/&]*[!@$%^*~][^/&]*$/;
const NEXT_PAIR = /&(?:amp;)?(?:[\w.%-]{1,40}=|$|\s|&)/y;
/** What may stand between the sign and the value: marks of a string in code, of bold letters; anchors, tags and blocks of YAML. */
const PREFIX =
  /(?:@(?=")|\[\[|\[(?=(?![^\]]{0,64}(?:A-Z|a-z|0-9|a-f))[\w.~+/=-]{8,512}\])|q[qw]?\{|(?:&[\w-]{1,40}|!!(?:str|binary)|!unsafe)[ \t]{1,3}(?![=&|])|[bBrRuUfFLN]{1,2}(?=["'])|(?:Some|String::from|SecretStr|SecureString)\((?=["'])|(?:\*{1,2}|__|<\/\w{1,10}>)[ \t]{1,3}|[|>][-+]?\r?\n[ \t]{1,16}|<<[-~]?["']?\w{2,12}["']?\r?\n[ \t]{0,16}|\{(?=[^{}\s]{4,64}\};)|\r?\n[ \t]{1,16}string\(\d{1,4}\)[ \t](?="))/y;
const SCHEME =
  /(?:Bearer|Basic|Token|ApiKey|Api-Token|Digest|Negotiate|OAuth|Hawk|JWT|SSWS|(?:AWS4|GOOG4)-[A-Z0-9-]{1,24})[ \t]{1,4}/iy;
/** Space, tab, no-break space. */
const BLANKS = new Set([32, 9, 160]);
const VALUE_STOPS = new Set([...`"'\`<>(){}[],;&|\\`].map((c) => c.charCodeAt(0)));
const PARAMETER_STOPS = new Set([...`"'\`<>&#;`].map((c) => c.charCodeAt(0)));
const [DOUBLE_QUOTE, AMPERSAND, OPEN, CLOSE, LESS, EQUALS, GREATER, OPEN_LIST, BACKSLASH, CLOSE_LIST] = [
  34, 38, 40, 41, 60, 61, 62, 91, 92, 93,
];

/** `"`, `'` or a backtick. */
export const isQuote = (unit: number): boolean => unit === 34 || unit === 39 || unit === 96;

/** The credential behind the sign at `at`, with or without quotes; a quoted one may hold spaces if it holds all else. */
export function value(text: string, at: number, area: Area, isSet: boolean, padding = 4): Hit | null {
  const { start, quote, hasScheme } = openingOf(text, at, area.to, padding);
  let end = valueEnd(text, start, Math.min(area.to, start + LONGEST_VALUE), quote);
  area.valueTo = end;
  if (isCutOff(text, end)) return null;
  if (quote === 0) end = withoutMarks(text, start, end, isSet ? ".?:" : ".!?:");
  else if (isSpace(text.charCodeAt(end))) area.valueTo = end = saltEnd(text, start, end, quote);
  const found = text.slice(start, end);
  if (quote === 0 && !hasScheme && isExpression(text, at, start, end)) return null;
  const isCertain = isSet || hasScheme || (quote !== 0 && SIGNS.test(found));
  return isCredential(found, isCertain) || (SALT.test(found) && !found.includes("#{"))
    ? { start, end, type: "AUTH", rule: "auth.assignment" }
    : null;
}

/** What stands before a value. */
interface Opening {
  /** where the value begins */
  readonly start: number;
  /** the quote before it; 0: none */
  readonly quote: number;
  /** `Bearer`, `Basic` and the like stand before it */
  readonly hasScheme: boolean;
}

function openingOf(text: string, at: number, to: number, padding: number): Opening {
  let start = behindBlanks(text, at, to, padding);
  PREFIX.lastIndex = start;
  if (PREFIX.test(text) && PREFIX.lastIndex < to) start = PREFIX.lastIndex;
  // a quote may be escaped in a string of code
  if (text.charCodeAt(start) === BACKSLASH) start++;
  const quote = isQuote(text.charCodeAt(start)) ? text.charCodeAt(start++) : 0;
  if (quote === DOUBLE_QUOTE && isDoubledQuote(text, start)) start++;
  SCHEME.lastIndex = start;
  const hasScheme = SCHEME.test(text) && SCHEME.lastIndex < to;
  return { start: hasScheme ? SCHEME.lastIndex : start, quote, hasScheme };
}

/** Behind the sign at `at` and the blanks that follow it. */
function behindBlanks(text: string, at: number, to: number, padding: number): number {
  let start = at + 1;
  // `=>` before a literal
  if (text.charCodeAt(start) === GREATER && text.charCodeAt(at) === EQUALS) start++;
  const after = start;
  while (start < to && start - after < padding && BLANKS.has(text.charCodeAt(start))) start++;
  return start;
}

/** Whether the quote before `at` is doubled, as in the cell of a table. */
function isDoubledQuote(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== DOUBLE_QUOTE || text.charCodeAt(at - 2) === DOUBLE_QUOTE) return false;
  const next = text.charCodeAt(at + 1);
  return !isSpace(next) && !VALUE_STOPS.has(next);
}

/** Where the value from `start` on ends: behind a quote at the same quote, a backslash, white space or `<`. */
function valueEnd(text: string, start: number, limit: number, quote: number): number {
  let end = start;
  if (quote === 0) while (end < limit && !isBareEnd(text, end)) end++;
  else while (end < limit && !isQuotedEnd(text.charCodeAt(end), quote)) end++;
  return end;
}

function isBareEnd(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (VALUE_STOPS.has(unit) && (unit !== AMPERSAND || isNextPair(text, at))) || isSpace(unit);
}

const isQuotedEnd = (unit: number, quote: number): boolean =>
  unit === quote || unit === BACKSLASH || isSpace(unit) || unit === LESS;

/** A value that is cut off by points is a sample. */
const isCutOff = (text: string, end: number): boolean => text.startsWith("..", end - 2) || text.startsWith("..", end);

/** The end of a value without the punctuation marks behind it. */
function withoutMarks(text: string, start: number, end: number, marks: string): number {
  let last = end;
  while (last > start && marks.includes(text.charAt(last - 1))) last--;
  return last;
}

/** The end of a salt with spaces in it, at its closing quote; `end` if the text in quotes is none. */
function saltEnd(text: string, start: number, end: number, quote: number): number {
  const close = text.indexOf(String.fromCharCode(quote), end);
  const whole = close === -1 || close - start > LONGEST_SALT ? "" : text.slice(start, close);
  return SALT.test(whole) ? close : end;
}

/** An ampersand that begins the next pair of a form; others may stand in a password. */
function isNextPair(text: string, at: number): boolean {
  NEXT_PAIR.lastIndex = at;
  return NEXT_PAIR.test(text);
}

/** Twelve words or more, as wallets write their seeds. */
export function wordList(text: string, at: number, area: Area): Hit | null {
  WORD_LIST.lastIndex = at + 1;
  const words = WORD_LIST.exec(text)?.[1];
  if (words === undefined || WORD_LIST.lastIndex > area.to) return null;
  area.valueTo = WORD_LIST.lastIndex;
  return { start: area.valueTo - words.length, end: area.valueTo, type: "AUTH", rule: "auth.assignment" };
}

/** As Google and WordPress give them out: four or six groups of four. */
const APP_PASSWORD = /[ \t]{0,3}["']?((?:[a-z]{4} ){3}[a-z]{4}|(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4})(?![\w ])/y;
export function appPassword(text: string, at: number, { to }: Area): Hit | null {
  APP_PASSWORD.lastIndex = at + 1;
  const found = APP_PASSWORD.exec(text)?.[1];
  const end = APP_PASSWORD.lastIndex;
  return found === undefined || end > to
    ? null
    : { start: end - found.length, end, type: "AUTH", rule: "auth.assignment" };
}

/** The value of a parameter in the query of a URL, which begins at `start`. */
export function parameter(text: string, start: number, area: Area): Hit | null {
  const limit = Math.min(area.to, start + LONGEST_VALUE);
  let end = start;
  let opened = 0;
  for (; end < limit && !PARAMETER_STOPS.has(text.charCodeAt(end)) && !isSpace(text.charCodeAt(end)); end++) {
    const unit = text.charCodeAt(end);
    if (unit === OPEN || unit === OPEN_LIST) opened++;
    // the bracket around the URL, of Markdown or prose
    else if ((unit === CLOSE || unit === CLOSE_LIST) && --opened < 0) break;
  }
  area.valueTo = end;
  const found = text.slice(start, end);
  return found === "" || /^(?:[$<{[*.]|%(?![0-9A-Fa-f]{2}))/.test(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.name" };
}

/** A random text behind the name of a service, as its documentation writes it. */
export function vendorToken(text: string, after: number, area: Area): Hit | null {
  const hit = value(text, after - 1, area, false);
  if (hit === null) return null;
  const found = text.slice(hit.start, hit.end);
  return /^[A-Za-z0-9_-]{32,90}$/.test(found) && /[A-Za-z]/.test(found) && entropyOf(found) > 3.4 ? hit : null;
}
