const WORD = new Uint8Array(128);
for (const range of ["09", "AZ", "az"]) {
  for (let unit = range.charCodeAt(0); unit <= range.charCodeAt(1); unit++) WORD[unit] = 1;
}

export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
/** ASCII letter or digit */
export const isWord = (unit: number): boolean => unit < 128 && WORD[unit] === 1;
/** Whether `text[at]` is the letter of an escape that stands in a string of code: `\\n`, `\\t`, `\\r`. */
export const isEscapeLetter = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return (unit === 110 || unit === 116 || unit === 114) && text.charCodeAt(at - 1) === 92;
};
/** The mark of a changed line: what stands behind it begins one. */
export const isDiffMark = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return (unit === 43 || unit === 45) && (at === 0 || text.charCodeAt(at - 1) === 10);
};
/** Space, tab, line ends, no-break space. */
export const isSpace = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13) || unit === 160;

/** Letters of other alphabets, without the punctuation and the full-width forms of theirs. */
export const isForeignLetter = (unit: number): boolean =>
  unit >= 0xc0 && unit < 0xfb00 && (unit < 0x2000 || unit >= 0x3040) && unit !== 0xd7 && unit !== 0xf7;

/** Membership table of a set of ASCII characters, for loops over code units. */
export function alphabet(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = 1;
  return table;
}

export const DIGITS = "0123456789";
export const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const LOWER = "abcdefghijklmnopqrstuvwxyz";

/** End of the run of `table` characters that begins at `from`, at most `to`. */
export function runEnd(text: string, from: number, to: number, table: Uint8Array): number {
  let at = from;
  while (at < to) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || table[unit] === 0) break;
    at++;
  }
  return at;
}

/** A number without what separates its groups. */
export function lettersAndDigits(written: string): string {
  let out = "";
  for (let at = 0; at < written.length; at++) if (isWord(written.charCodeAt(at))) out += written[at];
  return out;
}
