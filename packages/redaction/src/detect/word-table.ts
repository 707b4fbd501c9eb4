/** The cheap first look for some of many words: what it refuses holds none of them. */
export interface WordTable {
  /** Whether one of the words may stand in `text[from, to)`, alone or in a word that has `_`, `.`, `'` or `#` in it. */
  mayHold(text: string, from: number, to: number): boolean;
}

/** so many that one word in thirty is taken for another */
const SLOTS = 1 << 15;
const MULTIPLIER = 31;
const [WORD, PART] = [1, 2];
const [POINT, UNDERSCORE, MARK, APOSTROPHE] = [46, 95, 35, 39];

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
        const lower = unit >= 65 && unit <= 90 ? unit | 32 : unit;
        if (lower >= 97 && lower <= 122) {
          if (!isInside) {
            sum = part = 0;
            isInside = true;
          } else if (unit < 97 && text.charCodeAt(at - 1) >= 97) {
            // a capital inside a word begins another one
            if (((slots[part] as number) & PART) !== 0) return true;
            part = 0;
            kind = PART;
          }
          sum = next(sum, lower);
          part = next(part, lower);
        } else if (isInside) {
          if (unit >= 48 && unit <= 57) {
            sum = next(sum, unit);
            part = next(part, unit);
          } else {
            if (((slots[sum] as number) & WORD) !== 0 || ((slots[part] as number) & kind) !== 0) return true;
            kind = WORD;
            if (unit === POINT || unit === MARK || unit === APOSTROPHE) sum = next(sum, unit);
            else if (unit === UNDERSCORE) sum = 0;
            else isInside = false;
            part = 0;
          }
        }
      }
      return isInside && (((slots[sum] as number) & WORD) !== 0 || ((slots[part] as number) & kind) !== 0);
    },
  };
}

const next = (sum: number, unit: number): number => (Math.imul(sum, MULTIPLIER) + unit) & (SLOTS - 1);
