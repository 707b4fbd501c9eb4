import { isDigit, isWord } from "../character.ts";
import { beginsStreet } from "./street-address.ts";

const LONGEST = 5;
/** What stands before a minus. */
const MINUS_FOLLOWS = new Set([..." ([,=:"].map((c) => c.charCodeAt(0)));
/** what a name of a month, `st`, `of` or a street's first word in small letters begins with */
const HEADS = new Set([..."jfmasondrbcplge"].map((c) => c.charCodeAt(0)));
const [SPACE, COMMA, POINT, DASH, SLASH, PLUS, OPEN, ZERO, UNDERSCORE, BACKSLASH] = [
  32, 44, 46, 45, 47, 43, 40, 48, 95, 92,
];

/**
 * End of the few digits at `at` if they stand so alone that no rule takes them, whatever is announced; -1: a closer look
 * is needed. Most numbers of JSON, code and prose end here.
 */
export function plainNumberEnd(text: string, at: number, from: number, to: number): number {
  const before = at === from ? SPACE : text.charCodeAt(at - 1);
  if (!mayStandBefore(before) && !(before === DASH && isMinus(text, at - 1, from))) return -1;
  let end = at + 1;
  // telephone numbers begin with one
  if (text.charCodeAt(at) === ZERO && end < to && isDigit(text.charCodeAt(end))) return -1;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  if (end - at > LONGEST) return -1;
  if (before === SPACE && at > from && isName(text, at - 2, from)) return -1;
  if (end === to) return end;
  const unit = text.charCodeAt(end);
  if (unit > 127 || isWord(unit) || unit === UNDERSCORE || unit === DASH || unit === SLASH) return -1;
  if (unit === POINT) return decimalEnd(text, at, end + 1, to);
  if (unit !== SPACE && unit !== COMMA) return end;
  const next = end + 1 < to ? text.charCodeAt(end + 1) : 0;
  if (unit === COMMA) {
    if (next !== SPACE) return before === SPACE ? -1 : end;
    return isMonthBefore(text, at, from) || mayBeStreet(text, end + 2, to) ? -1 : end;
  }
  if (next > 127 || (next !== 0 && isWord(next) && next < 97)) return -1;
  // what has three digits or more is no day of a month
  return (end - at < 3 ? HEADS.has(next) : beginsStreet(text, end + 1)) ? -1 : end;
}

/** A dash that stands before a number alone. */
const isMinus = (text: string, at: number, from: number): boolean =>
  at === from || MINUS_FOLLOWS.has(text.charCodeAt(at - 1));

/** End of a short decimal, whose digits behind the point begin at `at`. */
function decimalEnd(text: string, start: number, at: number, to: number): number {
  let end = at;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  if (end === at || end - start > LONGEST) return -1;
  if (end === to) return end;
  const unit = text.charCodeAt(end);
  if (unit > 127 || isWord(unit) || unit === UNDERSCORE || unit === DASH || unit === SLASH || unit === POINT) return -1;
  const next = end + 1 < to ? text.charCodeAt(end + 1) : 0;
  return unit === SPACE && (next > 127 || (next !== 0 && isWord(next) && next < 97)) ? -1 : end;
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

/** A word that may be the name of a street ends at `last`: it does not end in a small letter alone in small letters. */
function isName(text: string, last: number, from: number): boolean {
  const floor = Math.max(from, last - 28);
  let at = last;
  while (at >= floor && text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122) at--;
  if (at === last || last - at > 24) return true;
  const unit = at < from ? SPACE : text.charCodeAt(at);
  return unit !== SPACE || text.charCodeAt(at + 1) === 110;
}
