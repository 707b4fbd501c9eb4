import { alphabet, isDigit, LOWER } from "./character.ts";

/** The cheap first look for some of many words: what it refuses holds none of them. */
export interface WordTable {
  /** Whether one of the words may stand in `text[from, to)`, alone or in a word that has `_`, `.`, `'` or `#` in it. */
  mayHold(text: string, from: number, to: number): boolean;
}

/** so many that one word in thirty is taken for another */
const SLOTS = 1 << 15;
const MULTIPLIER = 31;
const [WORD, PART] = [1, 2];

/**
 * `words`: lower case. A text with letters that are not ASCII may always hold one. `inside`: those that count as parts of
 * a word with capitals in it.
 */
export function createWordTable(words: Iterable<string>, inside: Iterable<string> = []): WordTable {
  const slots = new Uint8Array(SLOTS);
  for (const [flag, list] of [
    [WORD, words],
    [PART, inside],
  ] as const)
    for (const word of list) {
      let sum = 0;
      for (let at = 0; at < word.length; at++) sum = next(sum, word.charCodeAt(at));
      slots[sum] = (slots[sum] as number) | flag;
    }
  const holds = (slot: number, flag: number): boolean => ((slots[slot] as number) & flag) !== 0;
  return {
    mayHold(text, from, to) {
      let sum = 0;
      // since the last character that may part words
      let part = 0;
      let isInside = false;
      // of `part`
      let kind = WORD;
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 127) return true;
        const letter = SMALL[unit] as number;
        if (letter !== 0) {
          if (!isInside) {
            sum = part = 0;
            isInside = true;
          } else if (isInnerCapital(text, at)) {
            if (holds(part, PART)) return true;
            part = 0;
            kind = PART;
          }
          sum = next(sum, letter);
          part = next(part, letter);
        } else if (isInside) {
          if (isDigit(unit)) {
            sum = next(sum, unit);
            part = next(part, unit);
          } else {
            if (holds(sum, WORD) || holds(part, kind)) return true;
            kind = WORD;
            if (JOINS[unit] === 1) sum = next(sum, unit);
            else if (unit === UNDERSCORE) sum = 0;
            else isInside = false;
            part = 0;
          }
        }
      }
      return isInside && (holds(sum, WORD) || holds(part, kind));
    },
  };
}

/** The small letter of each letter; 0: the character is no letter. */
const SMALL = new Uint8Array(128);
for (const letter of LOWER)
  SMALL[letter.charCodeAt(0)] = SMALL[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0);
/** What may stand inside a word. */
const JOINS = alphabet(".#'");
const UNDERSCORE = 95;
const SMALL_A = 97;

/** A capital behind a small letter begins another word. */
const isInnerCapital = (text: string, at: number): boolean =>
  text.charCodeAt(at) < SMALL_A && text.charCodeAt(at - 1) >= SMALL_A;

const next = (sum: number, unit: number): number => (Math.imul(sum, MULTIPLIER) + unit) & (SLOTS - 1);
