import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "buffer";

type Form = "hex" | "buffer";
type Data = string | Uint8Array;

/** Node's `hash`, for SHA-256. */
export function hash(algorithm: string, data: Data, form?: "hex"): string;
export function hash(algorithm: string, data: Data, form: "buffer"): Buffer;
export function hash(algorithm: string, data: Data, form: Form = "hex"): string | Buffer {
  const digest = Buffer.from(createHash(algorithm).update(data).bytes());
  return form === "buffer" ? digest : digest.toString("hex");
}

/** Node's `createHash`, for SHA-256. */
export function createHash(algorithm: string) {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  const state = sha256.create();
  const hashed = {
    update(data: Data) {
      state.update(typeof data === "string" ? new TextEncoder().encode(data) : data);
      return hashed;
    },
    bytes: () => state.digest(),
    digest: (form: "hex" | "base64url") => {
      const base64 = form === "base64url";
      const text = Buffer.from(state.digest()).toString(base64 ? "base64" : "hex");
      return base64 ? text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") : text;
    },
  };
  return hashed;
}
