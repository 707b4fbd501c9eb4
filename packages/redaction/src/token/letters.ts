const A = 97;
const LETTERS = 26;
const LIMB = 16;
const MOST_LETTERS = 16;
const limbs = new Int32Array(8);
const out = Buffer.alloc(MOST_LETTERS);

/**
 * The first `bits` bits of `bytes` as a number in base 26, written a–z, most significant first, `length` letters, at
 * most sixteen. `bits`: at most 112.
 */
export function letters(bytes: Uint8Array, bits: number, length: number): string {
  // limbs of 16 bits, the highest first; the first one may hold less
  const count = Math.ceil(bits / LIMB);
  let bit = bits - count * LIMB;
  for (let i = 0; i < count; i++, bit += LIMB) limbs[i] = bitsAt(bytes, bit);
  for (let at = length - 1; at >= 0; at--) {
    let rest = 0;
    for (let i = 0; i < count; i++) {
      const part = (rest << LIMB) | (limbs[i] ?? 0);
      const whole = (part / LETTERS) | 0;
      limbs[i] = whole;
      rest = part - whole * LETTERS;
    }
    out[at] = A + rest;
  }
  return out.toString("latin1", 0, length);
}

/** Sixteen bits from `bit` on; those before the first one are zero. */
function bitsAt(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  return (three >> (8 - (bit & 7))) & 0xffff;
}
