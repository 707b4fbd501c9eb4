import type { Hit } from "../../scan/hit.ts";
import { callingCode } from "./calling-codes.ts";
import { isDigit, isEscapeLetter, isSpace, isWord } from "../character.ts";

const MOST_DIGITS = 15;
const LONGEST = 28;
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
  const plus = start > from && text.charCodeAt(start - 1) === 43;
  if (!plus && text.charCodeAt(start) !== 48) return null;
  const exit = plus ? 0 : text.startsWith("00", start) ? 2 : text.startsWith("011", start) ? 3 : -1;
  if (exit === -1) return null;
  const begin = plus ? start - 1 : start;
  if (
    begin > from &&
    !isEscapeLetter(text, begin - 1) &&
    (isWord(text.charCodeAt(begin - 1)) || text.charCodeAt(begin - 1) === 95)
  )
    return null;
  // `index 23f6a05..0076149 100644` of git
  if (!plus && begin > from && text.charCodeAt(begin - 1) === 46) return null;
  const { digits, groups } = digitsOf(text, start + exit, to);
  // `001-…`: without a separator anywhere a long run of digits may be anything
  if (!plus && (groups < 2 || (groups === 2 && text.charCodeAt(cutAt(0)) === 46))) return null;
  for (let group = groups - 1; group >= 0; group--) {
    const end = cutAt(group);
    let number = digits.slice(0, counts[group]);
    if (group === groups - 1 && !mayEnd(text, end, to) && !/^-[A-Za-z]/.test(text.slice(end, end + 2))) return null;
    if (number.length < 7) return null;
    // the trunk zero in brackets
    const trunk = text.slice(start, end).indexOf("(0)");
    if (trunk !== -1) number = number.slice(0, counts[0]) + number.slice(digitsTo(0) + 1);
    const code = callingCode(number);
    if (code === 0 || SERIAL.test(text.slice(start, end)) || /^(\d)\1*$/.test(number.slice(code))) continue;
    if (!plus && isColumns(text.slice(start, end))) continue;
    if (code === 1 && number[0] === "1" && !isNorthAmerican(number.slice(1))) continue;
    return { start: begin, end, type: "PHONE", rule: "phone.international", canonical: `+${number}` };
  }
  return null;
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
  const opened = at > from && text.charCodeAt(at - 1) === 40;
  if (!announced && !opened && text.charCodeAt(at) !== 48) return null;
  const { digits, groups } = digitsOf(text, at, to);
  // the bracket of an area code, or one around all of it
  const bracket = opened && (digitsTo(0) > 5 || text.charCodeAt(cutAt(0)) === 41);
  const end = cutAt(groups - 1);
  if (opened && !bracket && (text.charCodeAt(end) !== 41 || (!announced && text.charCodeAt(at) !== 48))) return null;
  const start = bracket ? at - 1 : at;
  if (start > from) {
    const before = text.charCodeAt(start - 1);
    if (
      (isWord(before) && !isEscapeLetter(text, start - 1)) ||
      before === 95 ||
      before === 45 ||
      before === 43 ||
      before === 47
    )
      return null;
    if (before === 46 && !isSpace(text.charCodeAt(start - 2))) return null;
    // the seconds of a time, or of what else has colons between digits
    // a day and a time, as Chromium logs them
    if (!announced && before === 91 && LOGGED.test(text.slice(start, start + 11))) return null;
    if (!announced && before === 58 && isDigit(text.charCodeAt(start - 2))) return null;
  }
  if (!mayEnd(text, end, to)) return null;
  const { length } = digits;
  const whole = text.slice(start, end);
  if (/^(\d)\1*$/.test(digits) || isDate(whole) || (!announced && NO_PHONE.test(whole))) return null;
  let sure = false;
  if (announced) sure = length >= 7 && length <= 15;
  else if (bracket) sure = groups >= 2 && digitsTo(0) >= 2 && digitsTo(0) <= 5 && length >= 8 && length <= 12;
  else if (digits[0] === "0" && digits[1] !== "0")
    sure = groups >= 2 && length >= 9 && length <= 12 && digitsTo(0) >= 2 && lastGroup(groups) >= 2 && oneKind(whole);
  if (!sure) return null;
  const canonical = length === 10 && isNorthAmerican(digits) ? `+1${digits}` : digits;
  return { start, end, type: "PHONE", rule: "phone.national", canonical };
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
