import type { Hit } from "../../scan/hit.ts";
import { callingCode } from "./calling-codes.ts";
import { isDigit, isEscapeLetter, isSpace, isWord } from "../character.ts";

const LEAST_DIGITS = 7;
const MOST_DIGITS = 15;
const LONGEST_AREA = 5;
const LONGEST = 28;
const [OPEN, CLOSE, PLUS, POINT, ZERO, COLON, OPEN_LIST, UNDERSCORE] = [40, 41, 43, 46, 48, 58, 91, 95];
/** What goes on in a number of telephones: a plus, a dash, a slash, an underscore. */
const NOT_BEFORE = new Set([..."+-/_"].map((c) => c.charCodeAt(0)));
/** `digitsOf` of the last reading; one number is looked at at a time */
const cuts = new Int32Array(MOST_DIGITS + 2);
const counts = new Int32Array(MOST_DIGITS + 2);
/** Where a group ends in the text. */
const cutAt = (group: number): number => cuts[group] ?? 0;
/** Number of digits up to the end of a group. */
const digitsTo = (group: number): number => counts[group] ?? 0;

/**
 * Digits from `start` on, with the separators that telephone numbers have between them. `cuts` keeps where each
 * group ends, `counts` how many digits there are until then.
 */
function digitsOf(text: string, start: number, to: number): { digits: string; groups: number } {
  let digits = "";
  let groups = 0;
  const limit = Math.min(to, start + LONGEST);
  for (let at = start; at < limit && groups <= MOST_DIGITS;) {
    let end = at;
    while (end < to && isDigit(text.charCodeAt(end))) end++;
    if (end === at) break;
    digits += text.slice(at, end);
    cuts[groups] = end;
    counts[groups] = digits.length;
    groups++;
    if (digits.length > MOST_DIGITS) break;
    at = end;
    // at most two: `) `, ` (`, `- `
    for (let skipped = 0; skipped < 3 && at < limit && isSeparator(text.charCodeAt(at)); skipped++) at++;
    if (at === end) break;
  }
  return { digits, groups };
}

const isSeparator = (unit: number): boolean =>
  unit === 32 || unit === 160 || unit === 45 || unit === 46 || unit === 47 || unit === 40 || unit === 41;

/** Whether the number may end at `at`: before no letter, except the one of an extension. */
function mayEnd(text: string, at: number, to: number): boolean {
  if (at >= to) return true;
  const unit = text.charCodeAt(at);
  if (isDigit(unit) || unit === 95 || unit === 64) return false;
  if (isWord(unit)) return (unit === 120 || unit === 88) && isDigit(text.charCodeAt(at + 1));
  return unit !== 46 && unit !== 45 ? true : at + 1 >= to || !isWord(text.charCodeAt(at + 1));
}

/** A day and a number, as zones and releases count. */
const SERIAL = /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d\d$/;
/** `+49 30 123456`, `0049 30 123456`, `011 44 …`; `start` is the first digit, the plus stands before it. */
export function internationalPhone(text: string, start: number, from: number, to: number): Hit | null {
  const plus = start > from && text.charCodeAt(start - 1) === PLUS;
  const exit = plus ? 0 : exitCode(text, start);
  const begin = plus ? start - 1 : start;
  if (exit === -1 || (begin > from && isInside(text, begin, plus))) return null;
  const { digits, groups } = digitsOf(text, start + exit, to);
  if (groups === 0 || (!plus && isOneRun(text, groups))) return null;
  const last = groups - 1;
  if (!mayEnd(text, cutAt(last), to) && !isBeforeWord(text, cutAt(last))) return null;
  for (let group = last; group >= 0 && digitsTo(group) >= LEAST_DIGITS; group--) {
    const end = cutAt(group);
    const number = withoutTrunk(text.slice(start, end), digits.slice(0, digitsTo(group)));
    if (isInternational(text.slice(start, end), number, plus))
      return { start: begin, end, type: "PHONE", rule: "phone.international", canonical: `+${number}` };
  }
  return null;
}

/** `001-…`: without a separator anywhere a long run of digits may be anything. */
const isOneRun = (text: string, groups: number): boolean =>
  groups < 2 || (groups === 2 && text.charCodeAt(cutAt(0)) === POINT);

/** A dash and a letter. */
const isBeforeWord = (text: string, at: number): boolean => /^-[A-Za-z]/.test(text.slice(at, at + 2));

/** Number of digits that call abroad, of those at `start`; -1: none does. */
function exitCode(text: string, start: number): number {
  if (text.startsWith("00", start)) return 2;
  return text.startsWith("011", start) ? 3 : -1;
}

/** Whether the character before `begin` belongs to the same word, so that no number begins there. */
function isInside(text: string, begin: number, plus: boolean): boolean {
  const before = text.charCodeAt(begin - 1);
  if (isEscapeLetter(text, begin - 1)) return false;
  // `index 23f6a05..0076149 100644` of git
  return isWord(before) || before === UNDERSCORE || (!plus && before === POINT);
}

/** A number without the trunk zero that stands in brackets in it as it is written. */
function withoutTrunk(written: string, number: string): string {
  return written.includes("(0)") ? number.slice(0, digitsTo(0)) + number.slice(digitsTo(0) + 1) : number;
}

/** Whether digits are a number of some country. `written`: as they stand in the text. */
function isInternational(written: string, number: string, plus: boolean): boolean {
  const code = callingCode(number);
  if (code === 0 || SERIAL.test(written) || /^(\d)\1*$/.test(number.slice(code))) return false;
  if (!plus && isColumns(written)) return false;
  return code !== 1 || !number.startsWith("1") || isNorthAmerican(number.slice(1));
}

/** Numbers of a table beside each other: `0025  0.0  0.1 232334`. */
const isColumns = (text: string): boolean => /\d {2,}\d|(?:^|[ ])\d+\.\d+ /.test(text);

/** Ten digits of the North American plan. */
export const isNorthAmerican = (digits: string): boolean => /^[2-9]\d\d[2-9]\d{6}$/.test(digits);

/**
 * A number without a country. `announced`: a word or a name says that it is one, and digits alone are enough; else
 * it must begin with a zero or an area code in brackets and have groups.
 */
export function nationalPhone(text: string, at: number, from: number, to: number, announced: boolean): Hit | null {
  const opened = at > from && text.charCodeAt(at - 1) === OPEN;
  const isMarked = announced || text.charCodeAt(at) === ZERO;
  if (!isMarked && !opened) return null;
  const { digits, groups } = digitsOf(text, at, to);
  const end = cutAt(groups - 1);
  const start = opened ? startInBracket(text, at, end, isMarked) : at;
  if (start === -1 || (start > from && !mayBegin(text, start, announced)) || !mayEnd(text, end, to)) return null;
  const written = text.slice(start, end);
  if (isOtherNumber(written, digits, announced)) return null;
  return (announced ? hasPhoneLength(digits) : hasPhoneForm(written, digits, groups, start < at))
    ? { start, end, type: "PHONE", rule: "phone.national", canonical: withCountry(digits) }
    : null;
}

/** Where a number begins behind an open bracket: with it, if it is that of the area code; -1: it is none of the number. */
function startInBracket(text: string, at: number, end: number, isMarked: boolean): number {
  if (digitsTo(0) > LONGEST_AREA || text.charCodeAt(cutAt(0)) === CLOSE) return at - 1;
  return isMarked && text.charCodeAt(end) === CLOSE ? at : -1;
}

const hasPhoneLength = ({ length }: string): boolean => length >= LEAST_DIGITS && length <= MOST_DIGITS;

/** Equal for a number of the North American plan with and without the code of its country. */
const withCountry = (digits: string): string => (isNorthAmerican(digits) ? `+1${digits}` : digits);

/** Whether the character before `start` allows a number to begin there. */
function mayBegin(text: string, start: number, announced: boolean): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWord(before)) return isEscapeLetter(text, start - 1);
  if (NOT_BEFORE.has(before)) return false;
  if (before === POINT) return isSpace(text.charCodeAt(start - 2));
  if (announced) return true;
  // a day and a time, as Chromium logs them
  if (before === OPEN_LIST) return !LOGGED.test(text.slice(start, start + 11));
  // the seconds of a time, or of what else has colons between digits
  return before !== COLON || !isDigit(text.charCodeAt(start - 2));
}

/** One digit again and again, a day, or, where nothing announces it, the form of another number. */
const isOtherNumber = (written: string, digits: string, announced: boolean): boolean =>
  /^(\d)\1*$/.test(digits) || isDate(written) || (!announced && NO_PHONE.test(written));

/** Whether the groups are those of a telephone number: an area code in brackets, or behind a zero, and the rest. */
function hasPhoneForm(written: string, digits: string, groups: number, bracket: boolean): boolean {
  const { length } = digits;
  if (groups < 2 || length > 12 || digitsTo(0) < 2) return false;
  if (bracket) return digitsTo(0) <= LONGEST_AREA && length >= 8;
  return /^0[^0]/.test(digits) && length >= 9 && lastGroup(groups) >= 2 && oneKind(written);
}

const LOGGED = /^[01]\d[0-3]\d\/[0-2]\d[0-5]\d[0-5]\d$/;
/** The form of other numbers, a day inside, a number of a file's mode, a zone of time behind a year. */
const NO_PHONE =
  /^(?:\d{3}[- .]\d\d[- .]\d{4}|\d{5}-\d{4}|0?[0-7]{6} 0?[0-7]{6}|[^]*(?:19|20)\d\d(?:-\d\d-\d\d|[ ]-?\d{4}$)[^]*)$/;

const lastGroup = (groups: number): number => digitsTo(groups - 1) - (groups > 1 ? digitsTo(groups - 2) : 0);
/** Groups in telephone numbers have one kind of separator, but for one between area and number. */
const oneKind = (text: string): boolean =>
  new Set(text.replace(/[0-9()]/g, "")).size <= 2 && !/\d\.\d+$/.test(text.replace(/\d+\.\d+\.\d/, ""));
const isDate = (text: string): boolean =>
  /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?: \d{1,2})?$/.test(text);
