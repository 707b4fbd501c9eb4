import { isDiffMark, isDigit, isEscapeLetter, isSpace, isWord } from "../character.ts";

/**
 * Groups of letters and digits with single separators between them, as numbers are written: `4111 1111 1111 1111`,
 * `123-45-6789`, `10.0.0.1`. One object is filled again and again: the scan looks at one phrase at a time.
 */
export interface Phrase {
  count: number;
  /** there was more: the last groups may be cut */
  full: boolean;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** `SEPARATOR` before the group */
  readonly separators: Uint8Array;
  /** digits only: their number, at most 31; else 32 more */
  readonly kinds: Uint8Array;
}

export const SEPARATOR = { none: 0, space: 1, dash: 2, point: 3, slash: 4 } as const;
const MOST_GROUPS = 14;
const LONGEST_KIND = 31;
export const MIXED = 32;

const OF_UNIT = new Uint8Array(256);
for (const [unit, code] of [
  [32, 1],
  [160, 1],
  [45, 2],
  [46, 3],
  [47, 4],
] as const)
  OF_UNIT[unit] = code;

export function createPhrase(): Phrase {
  return {
    count: 0,
    full: false,
    starts: new Int32Array(MOST_GROUPS),
    ends: new Int32Array(MOST_GROUPS),
    separators: new Uint8Array(MOST_GROUPS),
    kinds: new Uint8Array(MOST_GROUPS),
  };
}

/** Where group `i` begins in the text; `i` is less than `count`, as for the next two. */
export const startOf = ({ starts }: Phrase, i: number): number => starts[i] ?? 0;
export const endOf = ({ ends }: Phrase, i: number): number => ends[i] ?? 0;
export const kindOf = ({ kinds }: Phrase, i: number): number => kinds[i] ?? 0;

/** Reads the phrase that begins at `start`; every character up to its end is looked at once. */
export function readPhrase(phrase: Phrase, text: string, start: number, to: number): void {
  let count = 0;
  let separator: number = SEPARATOR.none;
  phrase.full = false;
  for (let at = start; ;) {
    let end = at;
    let digits = 0;
    for (; end < to; end++) {
      const unit = text.charCodeAt(end);
      if (isDigit(unit)) digits++;
      else if (!isWord(unit)) break;
    }
    const length = end - at;
    // a word of the prose that goes on
    if (digits === 0 && count > 0 && separator === SEPARATOR.space && length > 1) break;
    if (count === MOST_GROUPS) {
      phrase.full = true;
      break;
    }
    phrase.starts[count] = at;
    phrase.ends[count] = end;
    phrase.separators[count] = separator;
    phrase.kinds[count] = Math.min(length, LONGEST_KIND) + (digits === length ? 0 : MIXED);
    count++;
    if (end + 1 >= to) break;
    separator = OF_UNIT[text.charCodeAt(end)] ?? SEPARATOR.none;
    if (separator === SEPARATOR.none || !mayBeGroup(text.charCodeAt(end + 1), separator)) break;
    at = end + 1;
  }
  phrase.count = count;
}

/** Whether a group may begin with a character; small letters behind a space are the prose that goes on. */
const mayBeGroup = (unit: number, separator: number): boolean =>
  isWord(unit) && (unit < SMALL_A || separator !== SEPARATOR.space);
const SMALL_A = 97;

/** Whether a number may begin behind the character at `at`. */
export function mayFollow(text: string, at: number, from: number): boolean {
  if (at < from) return true;
  const unit = text.charCodeAt(at);
  if (isEscapeLetter(text, at) || isDiffMark(text, at)) return true;
  if (isWord(unit) || unit === 95 || unit === 43 || unit === 64 || unit === 37) return false;
  // a decimal fraction, a part of a name with points or dashes; a bullet or a minus stands behind a space
  if (unit === 46) return at - 1 < from || !isWord(text.charCodeAt(at - 1));
  return unit !== 45 || (at - 1 >= from && !isWord(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at - 1)));
}

/** Whether a number may end before the character at `at`. */
export function mayPrecede(text: string, at: number, to: number): boolean {
  if (at >= to) return true;
  const unit = text.charCodeAt(at);
  if (isWord(unit) || unit === 95 || unit === 64 || unit === 43) return false;
  if (unit !== 46 && unit !== 45) return true;
  return at + 1 >= to || !isWord(text.charCodeAt(at + 1));
}

const isCapital = (text: string, at: number): boolean => text.charCodeAt(at) >= 65 && text.charCodeAt(at) <= 90;

/** Countries of VAT numbers. */
const COUNTRIES = new Set(
  "AT BE BG CY CZ DE DK EE EL ES FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" "),
);
/** The digits and the letter of a British insurance number. */
const INSURANCE = /\d\d ?\d\d ?\d\d [A-D](?!\w)/y;

/** Two letters before the space in front of `start` that begin a number. */
function isPrefix(text: string, start: number): boolean {
  if (COUNTRIES.has(text.slice(start - 3, start - 1))) return true;
  INSURANCE.lastIndex = start;
  return INSURANCE.test(text);
}

/** Capital letters before it belong to the number: `CHE-107.787.577`, `X-1234567-L`, `AA 12 34 56 B`, `SK 202 274 96 19`. */
export function withLetters(text: string, start: number, from: number): number {
  const before = text.charCodeAt(start - 1);
  if (before === SPACE && start - 3 >= from && isCapital(text, start - 2)) return withTwoLetters(text, start, from);
  return before === DASH && start - 2 >= from ? withLettersBeforeDash(text, start, from) : start;
}
const [SPACE, DASH] = [32, 45];

/** Two letters and a space. */
const withTwoLetters = (text: string, start: number, from: number): number =>
  isCapital(text, start - 3) && mayFollow(text, start - 4, from) && isPrefix(text, start) ? start - 3 : start;

/** Up to three letters and a dash. */
function withLettersBeforeDash(text: string, start: number, from: number): number {
  let at = start - 1;
  while (at > from && start - at < 5 && isCapital(text, at - 1)) at--;
  return at < start - 1 && start - at < 5 && mayFollow(text, at - 1, from) ? at : start;
}
