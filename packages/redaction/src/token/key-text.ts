import { scryptSync } from "node:crypto";

/** What a text that was given as the scope key stands for: a key, one that was stretched from a passphrase, or neither. */
export type KeyText =
  | { readonly key: Uint8Array; readonly stretched: boolean }
  | { readonly short: number }
  /** hexadecimal digits, of which one is missing or one too many */
  | { readonly odd: number };

/** Bytes that a key must have. */
export const KEY_BYTES = 32;
/** Characters that a passphrase must have. */
export const PASSPHRASE_LENGTH = 16;
/** Makes a key of the right length on any machine with OpenSSL. */
export const MAKE_KEY = "openssl rand -hex 32";

/**
 * Fixed for ever: every process that is given one passphrase must derive the same key. 32 MiB and about 75 ms of
 * processor time.
 */
const STRETCH = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const SALT = "reenact/v1/scope-key";

const HEX = /^(?:0x)?([0-9a-f]+)$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]+={0,2}|[A-Za-z0-9_-]+={0,2})$/;
/** `correct-horse-battery`, `StayInProduction2026`: written by a person, whatever alphabet it fits. */
const WORDS =
  /^(?:[A-Z]?[a-z]+|[A-Z]{2,})(?:[A-Z][a-z]+|\d{1,8}(?!\d)|[-_+/](?:[A-Z]?[a-z]+|[A-Z]{2,}|\d{1,8}(?!\d)))*$/;

let last: { readonly text: string; readonly key: Uint8Array } | null = null;

/**
 * Hex (also behind `0x`) or base64 (also the URL alphabet) of `KEY_BYTES` bytes or more is the key. Hex and base64 of fewer bytes is
 * refused, and not taken for a passphrase, since it is meant as a key and too short; so is hex of which a digit is missing. Any other text of `PASSPHRASE_LENGTH`
 * characters is a passphrase and is stretched with scrypt. `short`: the bytes it holds; `odd`: the digits.
 */
export function readKeyText(text: string): KeyText {
  if (text.length < PASSPHRASE_LENGTH) return { short: Buffer.byteLength(text) };
  const digits = HEX.exec(text)?.[1];
  // hexadecimal digits are in the alphabet of base64 too: hex is meant
  if (digits !== undefined) return digits.length % 2 === 0 ? sized(Buffer.from(digits, "hex")) : { odd: digits.length };
  if (BASE64.test(text)) {
    const bytes = Buffer.from(text, text.includes("-") || text.includes("_") ? "base64url" : "base64");
    // words without spaces fit the alphabet of base64 too, but for its padding
    if (text.endsWith("=") || !WORDS.test(text)) return sized(bytes);
  }
  return { key: stretched(text), stretched: true };
}

const sized = (bytes: Uint8Array): KeyText =>
  bytes.length < KEY_BYTES ? { short: bytes.length } : { key: bytes, stretched: false };

/** Once per process: a command looks for its key more than once. */
function stretched(text: string): Uint8Array {
  if (last?.text !== text) last = { text, key: scryptSync(text.normalize("NFC"), SALT, KEY_BYTES, STRETCH) };
  return last.key;
}
