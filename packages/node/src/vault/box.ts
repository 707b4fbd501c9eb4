import { type CipherKey, createCipheriv, createDecipheriv } from "node:crypto";

const CIPHER = "aes-256-gcm";
const TAG = 16;
const NONCE = 12;

/** AES-256-GCM under a key that seals each number once; the run is authenticated with it. */
export function sealBox(key: CipherKey, number: number, run: string, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number)).setAAD(about(run));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null: not sealed with this key under this number, or changed since. */
export function openBox(key: Uint8Array, number: number, run: string, sealed: Uint8Array): Buffer | null {
  if (sealed.length < TAG) return null;
  try {
    const open = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG }).setAAD(about(run));
    open.setAuthTag(sealed.subarray(sealed.length - TAG));
    return Buffer.concat([open.update(sealed.subarray(0, sealed.length - TAG)), open.final()]);
  } catch {
    return null;
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE);
  nonce.writeUIntBE(number, NONCE - 6, 6);
  return nonce;
}

const about = (run: string): Buffer => Buffer.from(`reenact/vault/1\n${run}`);
