import type { Hit } from "../scan/hit.ts";
import { fieldContext } from "../names/field-context.ts";
import type { Area } from "./area.ts";
import { isDigit, isForeignLetter, isWord } from "./character.ts";
import { CUE } from "./cue.ts";
import { isNumberName, mayNameNumber, namedValue } from "./named-value.ts";
import { wholeValue } from "./whole-value.ts";

const LONGEST_NAME = 48;
const MOST_PADDING = 3;
const QUOTED = /[ \t]{0,3}\\?("{1,2}|')((?=[^"'\\\n]{0,40}\d)[^"'\\\n]{4,44})\\?\1/y;
const BARE =
  /[ \t]{0,3}((?=[A-Za-z/.-]{0,12}\d)[A-Za-z0-9][A-Za-z0-9./-]{3,43}(?: [0-9A-Z]{2,6}(?![\w.])){0,5})(?![\w@:(%+])/y;
const [SPACE, TAB, BACKSLASH, EQUALS, DASH, UNDERSCORE, LESS, GREATER] = [32, 9, 92, 61, 45, 95, 60, 62];

/**
 * `CUSTOMER_SSN=…`, `"cpf": "…"`, `passport_number: …` in a text: a setting of code or data, whose name says what its
 * value is. A label of prose (`CPF: …`) says less: behind it check digits count. `at`: the `=` or `:`.
 */
export function namedSetting(text: string, at: number, area: Area): Hit | null {
  if (!mayBeginNumber(text, at + 1)) return null;
  const isEquals = text.charCodeAt(at) === EQUALS;
  const signStart = isEquals ? withoutBlanks(text, at, area.from) : at;
  const isQuoted = isQuote(text.charCodeAt(signStart - 1));
  const end = nameEnd(text, signStart, isQuoted);
  if (end <= area.from || !isNameEnd(text.charCodeAt(end - 1)) || !mayNameNumber(text, area.from, end)) return null;
  const start = nameStart(text, end, area.from);
  const name = text.slice(start, end);
  if (!isEquals && !isQuoted && !/[_-]/.test(name) && !isCamel(text, start, end)) return null;
  return isNumberName(name) ? settingAt(text, at + 1, name, area) : null;
}

function withoutBlanks(text: string, at: number, from: number): number {
  let end = at;
  while (end > from && at - end < MOST_PADDING && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Where the name ends before its quotes, doubled or escaped ones too. */
function nameEnd(text: string, at: number, isQuoted: boolean): number {
  const end = isQuoted ? at - (text.startsWith('""', at - 2) ? 2 : 1) : at;
  return text.charCodeAt(end - 1) === BACKSLASH ? end - 1 : end;
}

function nameStart(text: string, end: number, from: number): number {
  const floor = Math.max(from, end - LONGEST_NAME);
  let start = end;
  for (; start > floor; start--) {
    const unit = text.charCodeAt(start - 1);
    if (unit !== UNDERSCORE && unit !== DASH && !isNameEnd(unit)) break;
  }
  return start;
}

/** A cheap test before the full one: the value begins with a quote or a digit, or its first word has a digit early. */
function mayBeginNumber(text: string, after: number): boolean {
  let at = after;
  while (at < after + MOST_PADDING && text.charCodeAt(at) === SPACE) at++;
  const unit = text.charCodeAt(at);
  if (isQuote(unit) || unit === BACKSLASH) return true;
  for (const limit = at + LONGEST_HEAD; at < limit; at++) {
    const next = text.charCodeAt(at);
    if (isDigit(next)) return true;
    if (!isWord(next) && next !== DASH) return false;
  }
  return false;
}
const LONGEST_HEAD = 12;

function settingAt(text: string, after: number, name: string, area: Area): Hit | null {
  QUOTED.lastIndex = BARE.lastIndex = after;
  const quoted = QUOTED.exec(text);
  const found = quoted?.[2] ?? BARE.exec(text)?.[1];
  if (found === undefined) return null;
  const end = quoted === null ? BARE.lastIndex : after + quoted[0].lastIndexOf(found) + found.length;
  return end > area.to ? null : namedValue(text, end - found.length, end, fieldContext(name));
}

/** `<customer_ssn>…</customer_ssn>`: the value in front of the closing mark of this name, whose `/` stands at `at`. */
export function namedElement(text: string, at: number, name: string, area: Area): Hit | null {
  const isPerson = isPersonMember(name);
  if ((!isPerson && !isNumberName(name)) || text.charCodeAt(at - 1) !== LESS) return null;
  const end = at - 1;
  const floor = Math.max(area.from, end - LONGEST_NAME);
  let start = end;
  while (start > floor && text.charCodeAt(start - 1) !== GREATER) start--;
  if (start === floor) return null;
  return isPerson ? wholeValue(text, start, end, fieldContext(name)) : namedValue(text, start, end, fieldContext(name));
}

const isPersonMember = (name: string): boolean =>
  /name$/i.test(name) && (fieldContext(name).cue.kinds & CUE.person) !== 0;

const isBlank = (unit: number): boolean => unit === SPACE || unit === TAB;
const isQuote = (unit: number): boolean => unit === 34 || unit === 39;
const isNameEnd = (unit: number): boolean => isWord(unit) || isForeignLetter(unit);

function isCamel(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const unit = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1);
    if (unit >= 65 && unit <= 90 && before >= 97 && before <= 122) return true;
  }
  return false;
}
