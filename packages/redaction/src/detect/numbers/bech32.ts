const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < ALPHABET.length; value++) VALUES[ALPHABET.charCodeAt(value)] = value;
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
/** What is left over for the first and for the second form of the checksum. */
const [FIRST, SECOND] = [1, 0x2bc830a3];

/** The five bits of a small letter or a digit; -1: it is not in the alphabet. */
export const bech32Value = (unit: number): number => (unit < 128 ? (VALUES[unit] ?? 0) : -1);

/** Whether a word, with the last `1` at `one`, has a right checksum. */
export function isBech32(word: string, one: number): boolean {
  const lower = word.toLowerCase();
  if (word !== lower && word !== word.toUpperCase()) return false;
  let sum = 1;
  for (let at = 0; at < one; at++) sum = next(sum, lower.charCodeAt(at) >> 5);
  sum = next(sum, 0);
  for (let at = 0; at < one; at++) sum = next(sum, lower.charCodeAt(at) & 31);
  for (let at = one + 1; at < lower.length; at++) {
    const value = bech32Value(lower.charCodeAt(at));
    if (value === -1) return false;
    sum = next(sum, value);
  }
  return sum === FIRST || sum === SECOND;
}

function next(sum: number, value: number): number {
  const top = sum >>> 25;
  let mixed = ((sum & 0x1ffffff) << 5) ^ value;
  for (let bit = 0; bit < 5; bit++) if (((top >> bit) & 1) === 1) mixed ^= GENERATORS[bit] ?? 0;
  return mixed;
}
