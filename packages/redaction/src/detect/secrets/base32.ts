const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The whole bytes of a word in base32 without padding; null: another letter is in it. */
export function decodeBase32(word: string): number[] | null {
  let buffer = 0;
  let bits = 0;
  const bytes: number[] = [];
  for (const c of word) {
    const value = LETTERS.indexOf(c);
    if (value === -1) return null;
    buffer = ((buffer << 5) | value) & 0xffff;
    bits += 5;
    if (bits >= 8) bytes.push((buffer >> (bits -= 8)) & 0xff);
  }
  return bytes;
}
