import { hash } from "node:crypto";

export const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Of the XRP Ledger. */
export const RIPPLE58 = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

const BASE = 58;
/** characters that are taken at once: so many that a limb and what is carried stay exact */
const STEP = 5;
const LIMB = 16;
const values = new Map<string, Int8Array>();

function valuesOf(alphabet: string): Int8Array {
  let table = values.get(alphabet);
  if (table === undefined) {
    values.set(alphabet, (table = new Int8Array(128).fill(-1)));
    for (let i = 0; i < alphabet.length; i++) table[alphabet.charCodeAt(i)] = i;
  }
  return table;
}

/** The bytes of a base58 text; null: it holds another character. */
export function decodeBase58(word: string, alphabet: string): Buffer | null {
  const table = valuesOf(alphabet);
  // the number in limbs of 16 bits, the lowest first
  const limbs: number[] = [];
  for (let at = 0; at < word.length;) {
    const end = at === 0 && word.length % STEP !== 0 ? word.length % STEP : at + STEP;
    let carry = 0;
    let factor = 1;
    for (; at < end; at++) {
      const value = word.charCodeAt(at) < 128 ? (table[word.charCodeAt(at)] as number) : -1;
      if (value === -1) return null;
      carry = carry * BASE + value;
      factor *= BASE;
    }
    for (let i = 0; i < limbs.length; i++) {
      const part = (limbs[i] as number) * factor + carry;
      limbs[i] = part % 2 ** LIMB;
      carry = Math.floor(part / 2 ** LIMB);
    }
    for (; carry > 0; carry = Math.floor(carry / 2 ** LIMB)) limbs.push(carry % 2 ** LIMB);
  }
  let zeros = 0;
  while (zeros < word.length && word[zeros] === alphabet[0]) zeros++;
  const top = limbs.at(-1) ?? 0;
  const size = limbs.length * 2 - (limbs.length > 0 && top < 256 ? 1 : 0);
  const bytes = Buffer.alloc(zeros + size);
  for (const [i, limb] of limbs.entries()) {
    const low = bytes.length - 1 - i * 2;
    bytes[low] = limb & 0xff;
    if (low - 1 >= zeros) bytes[low - 1] = limb >> 8;
  }
  return bytes;
}

/** Whether the last four bytes of a base58 text are the head of the double SHA-256 of the others. */
export function isCheckedBase58(word: string, alphabet: string): boolean {
  const bytes = decodeBase58(word, alphabet);
  if (bytes === null || bytes.length < 21) return false;
  const digest = hash("sha256", hash("sha256", bytes.subarray(0, -4), "buffer"), "buffer");
  return digest.subarray(0, 4).equals(bytes.subarray(-4));
}
