import { hash } from "node:crypto";
import { decodeBase32 } from "../secrets/base32.ts";
import { bech32Value } from "./bech32.ts";
import { BASE58, decodeBase58 } from "./base58.ts";

/** The high eight and the low 32 bits of each. */
const GENERATORS_HIGH = [0x98, 0x79, 0xf3, 0xae, 0x1e] as const;
const GENERATORS_LOW = [0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470] as const;
const NETWORK = [..."bitcoincash"].map((c) => c.charCodeAt(0) & 31);
const SIZE = 42;
const SUBSTRATE = Buffer.from("SS58PRE");

/** Bitcoin Cash: 42 characters, whose checksum covers the name of the network too. */
export function isCashAddress(word: string): boolean {
  if (word.length !== SIZE || (word[0] !== "q" && word[0] !== "p")) return false;
  // forty bits: the high eight and the low 32
  let high = 0;
  let low = 1;
  for (let at = -NETWORK.length - 1; at < SIZE; at++) {
    const value = at < 0 ? (NETWORK[at + NETWORK.length + 1] ?? 0) : bech32Value(word.charCodeAt(at));
    if (value === -1) return false;
    const top = high >>> 3;
    high = ((high & 7) << 5) | (low >>> 27);
    low = (low << 5) ^ value;
    for (let bit = 0; bit < 5; bit++)
      if (((top >> bit) & 1) === 1) {
        high ^= GENERATORS_HIGH[bit] ?? 0;
        low ^= GENERATORS_LOW[bit] ?? 0;
      }
  }
  return high === 0 && low === 1;
}

/** Algorand: a public key and the last four bytes of its SHA-512/256, in base32. */
export function isAlgorand(word: string): boolean {
  if (word.length !== 58) return false;
  const bytes = decodeBase32(word);
  if (bytes === null) return false;
  const digest = hash("sha512-256", Buffer.from(bytes.slice(0, 32)), "binary");
  return digest.slice(28) === Buffer.from(bytes.slice(32)).toString("latin1");
}

/** Polkadot, Kusama and their kin (SS58): a network, a public key and two bytes of BLAKE2b. */
export function isSubstrate(word: string): boolean {
  if (word.length < 46 || word.length > 48) return false;
  const bytes = decodeBase58(word, BASE58);
  if (bytes === null || bytes.length !== 35 || (bytes[0] ?? 0) > 63) return false;
  const digest = hash("blake2b512", Buffer.concat([SUBSTRATE, bytes.subarray(0, 33)]), "binary");
  return digest.charCodeAt(0) === bytes[33] && digest.charCodeAt(1) === bytes[34];
}
