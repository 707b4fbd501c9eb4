const A = 97;
const LETTERS = 26;

/**
 * The first `bits` bits of `bytes` as a number in base 26, written a–z, most significant first, `length` letters.
 * Eight to twelve bytes; the bits that are left out are among the last four.
 */
export function letters(bytes: Uint8Array, bits: number, length: number): string {
  const half = bytes.length >> 1;
  const spare = bytes.length * 8 - bits;
  // two halves of at most 48 bits: a rest of the upper one before the lower one stays exact
  let high = numberOf(bytes, 0, half);
  let low = Math.floor(numberOf(bytes, half, bytes.length) / 2 ** spare);
  const base = 2 ** ((bytes.length - half) * 8 - spare);
  let out = "";
  while (out.length < length) {
    const rest = (high % LETTERS) * base + low;
    high = Math.floor(high / LETTERS);
    low = Math.floor(rest / LETTERS);
    out = String.fromCharCode(A + (rest % LETTERS)) + out;
  }
  return out;
}

function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i++) number = number * 256 + (bytes[i] as number);
  return number;
}
