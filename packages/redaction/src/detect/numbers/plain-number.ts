import { isDigit, isWord } from "../character.ts";
import { beginsStreet } from "./street-address.ts";

const LONGEST = 5;
/** What stands before a minus. */
const MINUS_FOLLOWS = new Set([..." ([,=:"].map((c) => c.charCodeAt(0)));
/** what a name of a month, `st`, `of` or a street's first word in small letters begins with */
const HEADS = new Set([..."jfmasondrbcplge"].map((c) => c.charCodeAt(0)));
const [SPACE, OPEN, PLUS, COMMA, DASH, POINT, SLASH, ZERO, BACKSLASH, UNDERSCORE, SMALL_A] = [
  32, 40, 43, 44, 45, 46, 47, 48, 92, 95, 97,
];

/**
 * End of the few digits at `at` if they stand so alone that no rule takes them, whatever is announced; -1: a closer look
 * is needed. Most numbers of JSON, code and prose end here.
 */
export function plainNumberEnd(text: string, at: number, from: number, to: number): number {
  const before = at === from ? SPACE : text.charCodeAt(at - 1);
  if (!mayStandBefore(before) && !isMinus(text, at - 1, from, before)) return -1;
  const end = digitsEnd(text, at, to);
  // telephone numbers begin with a zero
  if (end - at > LONGEST || (text.charCodeAt(at) === ZERO && end - at > 1)) return -1;
  if (isBehindName(text, at, from)) return -1;
  if (end === to) return end;
  switch (text.charCodeAt(end)) {
    case POINT:
      return decimalEnd(text, at, end + 1, to);
    case COMMA:
      return isAloneBeforeComma(text, at, end, from, to, before) ? end : -1;
    case SPACE:
      return isAloneBeforeSpace(text, at, end, to) ? end : -1;
    default:
      return goesOn(text.charCodeAt(end)) ? -1 : end;
  }
}

function digitsEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** A letter, a dash, a slash or an underscore: the number is a part of something longer. */
const goesOn = (unit: number): boolean =>
  unit > 127 || isWord(unit) || unit === UNDERSCORE || unit === DASH || unit === SLASH;

/** Whether a number before a comma is neither a day behind its month nor that of a house before its street. */
function isAloneBeforeComma(text: string, at: number, end: number, from: number, to: number, before: number): boolean {
  if (unitAt(text, end + 1, to) !== SPACE) return before !== SPACE;
  return !isMonthBefore(text, at, from) && !mayBeStreet(text, end + 2, to);
}

/** Whether a number before a space is neither a day before its month nor that of a house before its street. */
function isAloneBeforeSpace(text: string, at: number, end: number, to: number): boolean {
  const next = unitAt(text, end + 1, to);
  if (mayBegin(next)) return false;
  // what has three digits or more is no day of a month
  return !(end - at < 3 ? HEADS.has(next) : beginsStreet(text, end + 1));
}

/** The character at `at`; 0: the text has ended. */
const unitAt = (text: string, at: number, to: number): number => (at < to ? text.charCodeAt(at) : 0);

/** A digit, a capital or a letter that is not ASCII: another group, or a name. */
const mayBegin = (unit: number): boolean => unit > 127 || (isWord(unit) && unit < SMALL_A);

/** A dash at `at` that stands before a number alone. */
const isMinus = (text: string, at: number, from: number, unit: number): boolean =>
  unit === DASH && (at === from || MINUS_FOLLOWS.has(text.charCodeAt(at - 1)));

/** End of a short decimal, whose digits behind the point begin at `at`. */
function decimalEnd(text: string, start: number, at: number, to: number): number {
  const end = digitsEnd(text, at, to);
  if (end === at || end - start > LONGEST) return -1;
  if (end === to) return end;
  const unit = text.charCodeAt(end);
  if (goesOn(unit) || unit === POINT) return -1;
  return unit === SPACE && mayBegin(unitAt(text, end + 1, to)) ? -1 : end;
}

/** A word, or a point behind one, stands before the number and may name a month. */
function isMonthBefore(text: string, at: number, from: number): boolean {
  if (at - 2 < from || text.charCodeAt(at - 1) !== SPACE) return false;
  const unit = text.charCodeAt(at - 2);
  return unit === POINT || unit > 127 || (isWord(unit) && !isDigit(unit));
}

/** A capital letter, `5th` or a word like `rue` stands behind a number and its comma. */
function mayBeStreet(text: string, at: number, to: number): boolean {
  if (at >= to) return false;
  const unit = text.charCodeAt(at);
  if (unit > 127 || (unit >= 65 && unit <= 90)) return true;
  if (!isDigit(unit)) return beginsStreet(text, at);
  let end = at + 1;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  return end < to && isWord(text.charCodeAt(end));
}

/** What makes a longer number, a telephone number or a part of a name of it. */
const mayStandBefore = (unit: number): boolean =>
  unit < 128 &&
  !isWord(unit) &&
  unit !== UNDERSCORE &&
  unit !== DASH &&
  unit !== PLUS &&
  unit !== OPEN &&
  unit !== BACKSLASH &&
  unit !== 9;

/** A word that may be the name of a street stands before the number: it does not end in a small letter alone in small letters. */
function isBehindName(text: string, start: number, from: number): boolean {
  if (start === from || text.charCodeAt(start - 1) !== SPACE) return false;
  const last = start - 2;
  const floor = Math.max(from, last - 28);
  let at = last;
  while (at >= floor && text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122) at--;
  if (at === last || last - at > 24) return true;
  const unit = at < from ? SPACE : text.charCodeAt(at);
  return unit !== SPACE || text.charCodeAt(at + 1) === 110;
}
