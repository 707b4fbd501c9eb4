/** The cheap first look for some of many words: what it refuses holds none of them. */
export interface WordTable {
  /** Whether one of the words may stand in `text[from, to)`, alone or in a word that has `_`, `.`, `'` or `#` in it. */
  mayHold(text: string, from: number, to: number): boolean;
}

/** so many that one word in thirty is taken for another */
const SLOTS = 1 << 15;
const MULTIPLIER = 31;
const [POINT, UNDERSCORE, MARK, APOSTROPHE] = [46, 95, 35, 39];

/** `words`: lower case. A text with letters that are not ASCII may always hold one. */
export function createWordTable(words: Iterable<string>): WordTable {
  const slots = new Uint8Array(SLOTS);
  for (const word of words) {
    let sum = 0;
    for (let at = 0; at < word.length; at++) sum = next(sum, word.charCodeAt(at));
    slots[sum] = 1;
  }
  return {
    mayHold(text, from, to) {
      let sum = 0;
      // since the last character that may part words
      let part = 0;
      let isInside = false;
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 127) return true;
        const lower = unit >= 65 && unit <= 90 ? unit | 32 : unit;
        if (lower >= 97 && lower <= 122) {
          sum = next(isInside ? sum : 0, lower);
          part = next(isInside ? part : 0, lower);
          isInside = true;
        } else if (isInside) {
          if (unit >= 48 && unit <= 57) {
            sum = next(sum, unit);
            part = next(part, unit);
          } else {
            if (slots[sum] === 1 || slots[part] === 1) return true;
            if (unit === POINT || unit === MARK || unit === APOSTROPHE) sum = next(sum, unit);
            else if (unit === UNDERSCORE) sum = 0;
            else isInside = false;
            part = 0;
          }
        }
      }
      return isInside && (slots[sum] === 1 || slots[part] === 1);
    },
  };
}

const next = (sum: number, unit: number): number => (Math.imul(sum, MULTIPLIER) + unit) & (SLOTS - 1);
