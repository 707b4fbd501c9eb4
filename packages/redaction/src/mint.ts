import { createHmac, hkdfSync } from "node:crypto";
import { letters } from "./letters.ts";

/** Makes the tokens of one scope key. Value-derived only: no counter, no salt of a run, no order. */
export interface Mint {
  /** four letters that name the key; they say nothing about it */
  readonly kid: string;
  /** `TYPE_<kid>_<16 letters>` of a canonical value */
  token(type: string, canonical: string): string;
}

const CACHED_TOKENS = 4096;
const CACHED_LENGTH = 4096;

export function createMint(key: Uint8Array): Mint {
  const derive = (info: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), `reenact/v1/${info}`, length));
  const kid = letters(derive("kid", 8), 64, 4);
  const keys = new Map<string, Uint8Array>();
  const made = new Map<string, string>();

  function token(type: string, canonical: string): string {
    const slot = `${type}\0${canonical}`;
    const known = made.get(slot);
    if (known !== undefined) return known;
    let typeKey = keys.get(type);
    if (typeKey === undefined) keys.set(type, (typeKey = derive(type, 32)));
    const mac = createHmac("sha256", typeKey).update(canonical, "utf8").digest();
    const out = `${type}_${kid}_${letters(mac.subarray(0, 10), 75, 16)}`;
    if (canonical.length <= CACHED_LENGTH) {
      if (made.size >= CACHED_TOKENS) made.delete(made.keys().next().value as string);
      made.set(slot, out);
    }
    return out;
  }
  return { kid, token };
}
