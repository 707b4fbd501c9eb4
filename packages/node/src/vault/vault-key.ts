import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  generateKeySync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { errorCode, makeFolder, makeKeyFile } from "@reenact/envelope";
import { openBox, sealBox } from "./box.ts";
import { VaultError } from "./vault-error.ts";

const PUBLIC = "reenact-vault-public:";
const PRIVATE = "reenact-vault-private:";
const BYTES = 32;
const FILE = "vault.key";
const LOCAL = "reenact/vault/1/local";
const LOCAL_ID = "reenact/vault/1/id";
const RECIPIENT = "reenact/vault/1/x25519";
const NONE = Buffer.alloc(0);
const FIRST = 0;

/** The data key of a vault, wrapped for one who may open it (SPEC.md §13). */
export type WrappedKey =
  | { readonly to: "local"; readonly id: string; readonly salt: string; readonly wrapped: string }
  | { readonly to: "x25519"; readonly id: string; readonly from: string; readonly wrapped: string };

/** Not `randomBytes`: that is a recorded source once a recorder is there, and the key would be in the record. */
export const randomKey = (bytes: number = BYTES): Buffer => generateKeySync("hmac", { length: bytes * 8 }).export();

const derived = (secret: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, BYTES));
const localId = (key: Uint8Array): string => derived(key, NONE, LOCAL_ID).toString("hex", 0, 4);
const publicId = (raw: Uint8Array): string => createHash("sha256").update(raw).digest("hex").slice(0, 8);

/** A new pair for a responder, each as it is written. */
export function makeRecipient(): { publicKey: string; privateKey: string } {
  const { privateKey } = generateKeyPairSync("x25519");
  const { x, d } = privateKey.export({ format: "jwk" });
  return { publicKey: `${PUBLIC}${x}`, privateKey: `${PRIVATE}${d}` };
}

function rawOf(text: string, prefix: string): Buffer | null {
  const given = text.trim();
  const raw = given.startsWith(prefix) ? Buffer.from(given.slice(prefix.length), "base64url") : NONE;
  return raw.length === BYTES ? raw : null;
}

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: { kty: "OKP", crv: "X25519", x: Buffer.from(raw).toString("base64url") }, format: "jwk" });

const rawPublic = (key: KeyObject): Buffer =>
  Buffer.from((key.type === "public" ? key : createPublicKey(key)).export({ format: "jwk" }).x as string, "base64url");

/** DER of a private X25519 key up to its 32 bytes: without it the public part would have to be known. */
const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");
const privateKeyOf = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, raw]), format: "der", type: "pkcs8" });

/** Encrypts the data key of a run with the key of the store. */
export function wrapLocal(dataKey: Uint8Array, local: Uint8Array, run: string): WrappedKey {
  const salt = randomKey(16);
  const wrapped = sealBox(derived(local, salt, LOCAL), FIRST, run, dataKey);
  return { to: "local", id: localId(local), salt: salt.toString("base64"), wrapped: wrapped.toString("base64") };
}

/** The data key of a run for a responder. */
export function wrapForRecipient(dataKey: Uint8Array, recipient: string, run: string): WrappedKey {
  const to = rawOf(recipient, PUBLIC);
  if (to === null) throw new VaultError("no-key", "the vault's recipient is no public key", "reenact vault keygen");
  const pair = generateKeyPairSync("x25519");
  const from = rawPublic(pair.publicKey);
  const secret = diffieHellman({ privateKey: pair.privateKey, publicKey: publicKeyOf(to) });
  const wrapped = sealBox(derived(secret, Buffer.concat([from, to]), RECIPIENT), FIRST, run, dataKey);
  return { to: "x25519", id: publicId(to), from: from.toString("base64"), wrapped: wrapped.toString("base64") };
}

/** Throws `VaultError` for a key that does not fit, or that was changed. */
export function unwrapLocal(keys: readonly WrappedKey[], local: Uint8Array, run: string, where: string): Buffer {
  const own = keys.filter((key) => key.to === "local");
  const fit = own.find(({ id }) => id === localId(local));
  if (fit === undefined)
    throw own.length === 0
      ? new VaultError(
          "no-key",
          `the vault of run ${run} is sealed to a responder's key alone`,
          `give the private key with --key (or --vault-key)`,
        )
      : wrong(run, `the key in ${where}`, own);
  return unwrap(derived(local, Buffer.from(fit.salt, "base64"), LOCAL), fit.wrapped, run);
}

/** Decrypts the data key of a run with the private key of a responder's key file. */
export function unwrapWith(keys: readonly WrappedKey[], file: string, run: string): Buffer {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (cause) {
    throw new VaultError("no-key", `cannot read the key file ${file}: ${(cause as Error).message}`, "check the path", {
      cause,
    });
  }
  const raw = text
    .split("\n")
    .map((line) => rawOf(line, PRIVATE))
    .find((each) => each !== null);
  if (raw === null || raw === undefined)
    throw new VaultError(
      "wrong-key",
      `${file} holds no private key: a line that begins with ${PRIVATE}`,
      "name the file that reenact vault keygen wrote",
    );
  const privateKey = privateKeyOf(raw);
  const to = rawPublic(privateKey);
  const own = keys.filter((key) => key.to === "x25519");
  const fit = own.find(({ id }) => id === publicId(to));
  if (fit === undefined) throw wrong(run, `the key in ${file}`, own);
  const from = Buffer.from(fit.from, "base64");
  const secret = diffieHellman({ privateKey, publicKey: publicKeyOf(from) });
  return unwrap(derived(secret, Buffer.concat([from, to]), RECIPIENT), fit.wrapped, run);
}

function wrong(run: string, key: string, own: readonly WrappedKey[]): VaultError {
  const ids = own.map(({ id }) => id);
  const sealed = ids.length === 0 ? "it is sealed to no such key" : `it is sealed to key ${ids.join(", ")}`;
  return new VaultError(
    "wrong-key",
    `${key} does not open the vault of run ${run}: ${sealed}`,
    "name the private key of that recipient, or the store in which the run was recorded",
  );
}

function unwrap(key: Uint8Array, wrapped: string, run: string): Buffer {
  const dataKey = openBox(key, FIRST, run, Buffer.from(wrapped, "base64"));
  if (dataKey !== null) return dataKey;
  throw new VaultError("damaged", `the key in the vault of run ${run} was changed`, "take the file from a backup");
}

/** The store's own key; made, for this user alone, where there is none and `make` is true. Null: there is none. */
export function localKey(folder: string, make: boolean): Buffer | null {
  const file = join(folder, FILE);
  const held = readKey(file);
  if (held !== null || !make) return held;
  makeFolder(fs, folder);
  makeKeyFile(fs, file, randomKey(), randomKey(4).toString("hex"));
  return readKey(file);
}

export const localKeyPath = (folder: string): string => join(folder, FILE);

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    const { mode } = fs.statSync(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new VaultError("no-key", `${file} can be read by others`, `chmod 600 ${file}`);
    text = fs.readFileSync(file, "utf8").trim();
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return null;
    throw cause;
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new VaultError("no-key", `${file} holds no key of ${BYTES} bytes in hex`, "take the file from a backup");
  return Buffer.from(text, "hex");
}
