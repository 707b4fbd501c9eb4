import { hash } from "node:crypto";
import { decodeBase32 } from "./base32.ts";
import { BASE58, decodeBase58 } from "./base58.ts";

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n] as const;
const NETWORK = [..."bitcoincash"].map((c) => c.charCodeAt(0) & 31);
const MASK = 0x07ffffffffn;

/** Bitcoin Cash: 42 characters, whose checksum covers the name of the network too. */
export function isCashAddress(word: string): boolean {
  if (word.length !== 42 || (word[0] !== "q" && word[0] !== "p")) return false;
  let sum = 1n;
  const take = (value: number): void => {
    const top = sum >> 35n;
    sum = ((sum & MASK) << 5n) ^ BigInt(value);
    for (const [bit, generator] of GENERATORS.entries()) if (((top >> BigInt(bit)) & 1n) === 1n) sum ^= generator;
  };
  const values: number[] = [];
  for (const c of word) {
    const value = BECH32.indexOf(c);
    if (value === -1) return false;
    values.push(value);
  }
  for (const value of [...NETWORK, 0, ...values]) take(value);
  return sum === 1n;
}

/** Algorand: a public key and the last four bytes of its SHA-512/256, in base32. */
export function isAlgorand(word: string): boolean {
  if (word.length !== 58) return false;
  const bytes = decodeBase32(word);
  if (bytes === null) return false;
  const digest = hash("sha512-256", Buffer.from(bytes.slice(0, 32)), "buffer");
  return digest.subarray(28).equals(Buffer.from(bytes.slice(32)));
}

/** Polkadot, Kusama and their kin (SS58): a network, a public key and two bytes of BLAKE2b. */
export function isSubstrate(word: string): boolean {
  if (word.length < 46 || word.length > 48) return false;
  const bytes = decodeBase58(word, BASE58);
  if (bytes === null || bytes.length !== 35 || (bytes[0] as number) > 63) return false;
  const digest = hash("blake2b512", Buffer.concat([Buffer.from("SS58PRE"), bytes.subarray(0, 33)]), "buffer");
  return digest[0] === bytes[33] && digest[1] === bytes[34];
}
