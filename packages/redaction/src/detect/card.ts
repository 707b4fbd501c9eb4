import type { Hit } from "../hit.ts";
import { isDigit, isWord } from "./character.ts";

/** `[first, last]` of the leading six digits, and the lengths that the issuer uses. Reviewed as data. */
const ISSUERS: ReadonlyArray<readonly [number, number, readonly number[]]> = [
  [400000, 499999, [16, 19]], // Visa
  [510000, 559999, [16]], // Mastercard
  [222100, 272099, [16]], // Mastercard, second series
  [340000, 349999, [15]], // American Express
  [370000, 379999, [15]],
  [601100, 601199, [16, 19]], // Discover
  [644000, 659999, [16, 19]],
  [300000, 305999, [14]], // Diners Club
  [309500, 309599, [14]],
  [360000, 360999, [14]],
  [361000, 369999, [14]],
  [380000, 399999, [14, 16]],
  [352800, 358999, [16, 19]], // JCB
  [620000, 629999, [16, 17, 18, 19]], // UnionPay
  [500000, 509999, [16, 18, 19]], // Maestro
  [560000, 589999, [16, 18, 19]],
  [630000, 639999, [16, 18, 19]],
  [670000, 679999, [16, 18, 19]],
  [220000, 220499, [16]], // Mir
];
const SHORTEST = 14;
const LONGEST = 19;
const LONGEST_GROUPED = LONGEST + 6;

/** A card number whose first digit is at `start`. The digit before, if any, must have been ruled out by the caller. */
export function card(text: string, start: number, from: number, to: number): Hit | null {
  if (start > from && !mayTouch(text, start - 1, start - 2 >= from ? start - 2 : -1)) return null;
  const limit = Math.min(to, start + LONGEST_GROUPED + 2);
  const groups: string[] = [];
  let separator = 0;
  for (let at = start; ;) {
    let end = at;
    while (end < limit && isDigit(text.charCodeAt(end))) end++;
    groups.push(text.slice(at, end));
    const unit = end < limit ? text.charCodeAt(end) : 0;
    const goesOn =
      isSeparator(unit) &&
      (separator === 0 || unit === separator) &&
      end + 1 < limit &&
      isDigit(text.charCodeAt(end + 1));
    if (!goesOn) break;
    separator = unit;
    at = end + 1;
  }
  // what follows a card after a space may be its check number or date
  for (; groups.length > 0; groups.pop()) {
    const digits = groups.join("");
    const end = start + digits.length + groups.length - 1;
    if (digits.length < SHORTEST) return null;
    if (digits.length > LONGEST || (groups.length > 1 && !isCardGrouping(groups))) continue;
    if (end < to && !mayTouch(text, end, end + 1 < to ? end + 1 : -1)) continue;
    if (isIssued(digits) && passesLuhn(digits)) return { start, end, type: "CARD", canonical: digits };
  }
  return null;
}

const isSeparator = (unit: number): boolean => unit === 32 || unit === 45 || unit === 160;

/** Whether a card number may stand beside the character at `at`; behind that is `beyond`, -1 if nothing is. */
function mayTouch(text: string, at: number, beyond: number): boolean {
  const unit = text.charCodeAt(at);
  if (isDigit(unit) || isWord(unit) || unit === 95 || unit === 45 || unit === 43) return false;
  // a decimal fraction
  return unit !== 46 || beyond === -1 || !isDigit(text.charCodeAt(beyond));
}

function isCardGrouping(groups: readonly string[]): boolean {
  const shape = groups.map((group) => group.length).join();
  return /^(?:4,6,[45]|4,4,4,[1-4](?:,[1-3])?)$/.test(shape);
}

function isIssued(digits: string): boolean {
  const head = Number(digits.slice(0, 6));
  return ISSUERS.some(([first, last, lengths]) => head >= first && head <= last && lengths.includes(digits.length));
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let value = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
  }
  return sum % 10 === 0 && /[^0]/.test(digits.slice(1));
}
