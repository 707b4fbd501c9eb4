import { hash } from "node:crypto";

export const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Of the XRP Ledger. */
export const RIPPLE58 = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

const BASE = 58;
/** characters that are taken at once: so many that a limb and what is carried stay exact */
const STEP = 5;
const RADIX = 2 ** 16;
const values = new Map<string, Int8Array>();

function valuesOf(alphabet: string): Int8Array {
  let table = values.get(alphabet);
  if (table === undefined) {
    values.set(alphabet, (table = new Int8Array(128).fill(-1)));
    for (let i = 0; i < alphabet.length; i++) table[alphabet.charCodeAt(i)] = i;
  }
  return table;
}

/** Limbs of 16 bits, the lowest first, of the word that is decoded. */
const limbs = new Int32Array(64);
const LONGEST = 128;

/** The bytes of a base58 text; null: it holds another character, or is longer than any address. */
export function decodeBase58(word: string, alphabet: string): Buffer | null {
  const { length } = word;
  if (length > LONGEST) return null;
  const table = valuesOf(alphabet);
  let count = 0;
  for (let at = 0; at < length;) {
    const end = at === 0 && length % STEP !== 0 ? length % STEP : at + STEP;
    let carry = 0;
    let factor = 1;
    for (; at < end; at++) {
      const unit = word.charCodeAt(at);
      const value = unit < 128 ? (table[unit] ?? 0) : -1;
      if (value === -1) return null;
      carry = carry * BASE + value;
      factor *= BASE;
    }
    for (let i = 0; i < count; i++) {
      const part = (limbs[i] ?? 0) * factor + carry;
      carry = Math.floor(part / RADIX);
      limbs[i] = part - carry * RADIX;
    }
    while (carry > 0) {
      const rest = Math.floor(carry / RADIX);
      limbs[count++] = carry - rest * RADIX;
      carry = rest;
    }
  }
  return bytesOf(count, leadingZeros(word, alphabet));
}

function leadingZeros(word: string, alphabet: string): number {
  let zeros = 0;
  while (zeros < word.length && word[zeros] === alphabet[0]) zeros++;
  return zeros;
}

/** The bytes of the first limbs, the highest first, behind so many zeros. */
function bytesOf(count: number, zeros: number): Buffer {
  const size = count * 2 - (count > 0 && (limbs[count - 1] ?? 0) < 256 ? 1 : 0);
  const bytes = Buffer.alloc(zeros + size);
  for (let i = 0; i < count; i++) {
    const limb = limbs[i] ?? 0;
    const low = bytes.length - 1 - i * 2;
    bytes[low] = limb & 0xff;
    if (low - 1 >= zeros) bytes[low - 1] = limb >> 8;
  }
  return bytes;
}

const SUM = 4;
const digest = Buffer.alloc(32);

/** Whether the last four bytes of a base58 text are the head of the double SHA-256 of the others. */
export function isCheckedBase58(word: string, alphabet: string): boolean {
  const bytes = decodeBase58(word, alphabet);
  if (bytes === null || bytes.length < 21) return false;
  // a digest as a text takes a third of the time of one as a buffer
  digest.write(hash("sha256", bytes.subarray(0, -SUM), "binary"), "binary");
  const head = hash("sha256", digest, "binary");
  for (let i = 0; i < SUM; i++) if (head.charCodeAt(i) !== bytes[bytes.length - SUM + i]) return false;
  return true;
}
