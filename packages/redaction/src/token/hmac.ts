import { hash } from "node:crypto";

const BLOCK = 64;
const DIGEST = 32;
const [INNER, OUTER] = [0x36, 0x5c];
/** Longer messages get a buffer of their own. */
const ROOM = 4096;

/**
 * HMAC-SHA-256 under `key`, of 64 bytes or fewer; a text counts as its UTF-8 bytes. The padded key is kept: what the
 * crypto module makes of a key at each call takes ten times as long as the two digests. The result is valid until the
 * next call.
 */
export function createHmac256(key: Uint8Array): (message: string | Uint8Array) => Uint8Array {
  const inner = Buffer.alloc(BLOCK + ROOM);
  const outer = Buffer.alloc(BLOCK + DIGEST);
  for (let i = 0; i < BLOCK; i++) {
    inner[i] = (key[i] ?? 0) ^ INNER;
    outer[i] = (key[i] ?? 0) ^ OUTER;
  }
  const result = Buffer.alloc(DIGEST);
  return (message) => {
    const isShort = typeof message === "string" && message.length * 3 <= ROOM;
    const whole = isShort
      ? inner.subarray(0, BLOCK + inner.write(message, BLOCK, "utf8"))
      : Buffer.concat([inner.subarray(0, BLOCK), Buffer.from(message as Uint8Array)]);
    outer.write(hash("sha256", whole, "binary"), BLOCK, "binary");
    result.write(hash("sha256", outer, "binary"), 0, "binary");
    return result;
  };
}

/** HKDF-SHA-256 without salt, its first block: the same as of the crypto module, of which a key costs milliseconds. */
export function createHkdf256(key: Uint8Array): (info: string) => Uint8Array {
  const expand = createHmac256(createHmac256(new Uint8Array(DIGEST))(key));
  return (info) => Uint8Array.from(expand(`${info}\u0001`));
}
