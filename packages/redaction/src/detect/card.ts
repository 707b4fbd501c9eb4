import type { Hit } from "../hit.ts";
import { passesLuhn } from "./luhn.ts";

/** `[first, last]` of the leading six digits, and the lengths that the issuer uses. Reviewed as data. */
const ISSUERS: ReadonlyArray<readonly [number, number, readonly number[]]> = [
  [400000, 499999, [13, 16, 19]], // Visa
  [510000, 559999, [16]], // Mastercard
  [222100, 272099, [16]], // Mastercard, second series
  [340000, 349999, [15]], // American Express
  [370000, 379999, [15]],
  [601100, 601199, [16, 19]], // Discover
  [644000, 659999, [16, 19]],
  [300000, 305999, [14, 16]], // Diners Club
  [309500, 309599, [14, 16]],
  [360000, 369999, [14, 16, 19]],
  [380000, 399999, [14, 16, 19]],
  [352800, 358999, [16, 17, 18, 19]], // JCB
  [180000, 180099, [15]],
  [213100, 213199, [15]],
  [620000, 629999, [16, 17, 18, 19]], // UnionPay
  [810000, 817199, [16, 17, 18, 19]],
  [817200, 820199, [16]], // RuPay
  [500000, 509999, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  [560000, 589999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [600000, 639999, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro, RuPay, InstaPayment
  [670000, 679999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [220000, 220499, [16, 17, 18, 19]], // Mir
  [979200, 979299, [16]], // Troy
  [989000, 989099, [16]],
];
/** Lengths of cards, a bit each, by their first two digits. */
const LENGTHS = new Int32Array(100);
for (const [first, last, lengths] of ISSUERS)
  for (let head = Math.floor(first / 10_000); head <= Math.floor(last / 10_000); head++)
    for (const length of lengths) LENGTHS[head] = (LENGTHS[head] as number) | (1 << length);

/** The length of cards of any issuer. */
const COMMON = 16;

/** The cheap first look at a number of `length` digits, the first two of which stand at `start`. */
export function mayBeCard(text: string, start: number, length: number): boolean {
  if (length === COMMON) return true;
  const head = (text.charCodeAt(start) - 48) * 10 + text.charCodeAt(start + 1) - 48;
  return (((LENGTHS[head] ?? 0) >> length) & 1) === 1;
}

/** Lengths that stand for a card by themselves; others are those of ids and times too. */
const PLAIN_LENGTHS = new Set([15, 16]);

/**
 * Whether digits are a card number: issuer, length and Luhn. `plain`: they are one by themselves; `announced`: only
 * if a name or a word before says so. `grouped`: written in the groups that cards use.
 */
export function cardNumber(digits: string, grouped: boolean): "plain" | "announced" | null {
  const { length } = digits;
  if (length < 12 || length > 19 || !passesLuhn(digits, 0, length)) return null;
  const head = Number(digits.slice(0, 6));
  // an issuer that is not known
  if (!ISSUERS.some(([first, last, lengths]) => head >= first && head <= last && lengths.includes(length)))
    return length === COMMON && digits[0] !== "0" ? "announced" : null;
  const isPlain = PLAIN_LENGTHS.has(length) || (length === 14 && head < 400000);
  return isPlain || (grouped && length >= 13) ? "plain" : "announced";
}

const [PERCENT, CARET, B] = [37, 94, 98];

/** `%B4111…^NAME^…`: the first track of a card. */
export function magneticStripe(text: string, start: number, end: number): Hit | null {
  if (text.charCodeAt(start - 1) !== PERCENT || text.charCodeAt(end) !== CARET || (text.charCodeAt(start) | 32) !== B)
    return null;
  const digits = text.slice(start + 1, end);
  if (!/^\d+$/.test(digits) || cardNumber(digits, false) === null) return null;
  return { start: start + 1, end, type: "CARD", rule: "card", canonical: digits };
}
