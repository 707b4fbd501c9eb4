import type { CipherKey } from "node:crypto";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { KeptRoot, KeptStep, TokenValues } from "@reenact/capture/recorder";
import { openBox, sealBox } from "./box.ts";
import type { WrappedKey } from "./vault-key.ts";
import { VaultError } from "./vault-error.ts";

/** What a vault says of itself, in clear. */
export interface VaultHead {
  readonly v: 1;
  readonly run: string;
  /** epoch milliseconds */
  readonly made: number;
  readonly kid: string;
  readonly keys: readonly WrappedKey[];
}

/** One sealed entry (SPEC.md §13). */
export type VaultEntry =
  | ({ readonly kind: "step"; readonly values?: TokenValues } & KeptStep)
  | ({ readonly kind: "root"; readonly values?: TokenValues } & KeptRoot);

const MAGIC = Buffer.from("RNCTVLT1");
const HEADER = 9;
const HEAD = 1;
const ENTRY = 2;
const AS_IS = 0;
const DEFLATED = 1;
/** Longer ones are not worth the time that the agent's thread stands still. */
const LONGEST_DEFLATED = 256 * 1024;
/** A stream of zlib takes longer to make than so little text to write. */
const SHORTEST_DEFLATED = 4096;
const LONGEST = 512 * 1024 * 1024;

/** How a vault begins. */
export const vaultHead = (head: VaultHead): Buffer =>
  Buffer.concat([MAGIC, framed(HEAD, Buffer.from(JSON.stringify(head)))]);

/** An entry before it is sealed. */
export function packEntry(entry: VaultEntry): Buffer {
  const text = Buffer.from(JSON.stringify(entry));
  const short = text.length < SHORTEST_DEFLATED || text.length > LONGEST_DEFLATED;
  return short
    ? Buffer.concat([Buffer.from([AS_IS]), text])
    : Buffer.concat([Buffer.from([DEFLATED]), deflateRawSync(text, { level: 1 })]);
}

/** The frame of an entry, sealed under its number. `entry`: as it is, or packed. */
export function vaultEntry(dataKey: CipherKey, number: number, run: string, entry: VaultEntry | Uint8Array): Buffer {
  return framed(ENTRY, sealBox(dataKey, number, run, entry instanceof Uint8Array ? entry : packEntry(entry)));
}

/** The frame of an entry that is sealed already. */
export const sealedEntry = (sealed: Uint8Array): Buffer => framed(ENTRY, sealed);

function framed(kind: number, payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(HEADER + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame[8] = kind;
  frame.set(payload, HEADER);
  frame.writeUInt32LE(crc32(frame.subarray(8)), 4);
  return frame;
}

/** A vault as it lies on the disk, taken apart. What a killed process has left torn at its end is left out. */
export function readVault(file: Uint8Array, where: string): { head: VaultHead; sealed: Uint8Array[] } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(where, "it does not begin as a vault does");
  const sealed: Uint8Array[] = [];
  let head: VaultHead | null = null;
  for (let at = MAGIC.length; at + HEADER <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    const end = at + HEADER + length;
    if (length > LONGEST) throw damaged(where, `the length of the frame at byte ${at} makes no sense`);
    if (end > bytes.length) break;
    if (bytes.readUInt32LE(at + 4) !== crc32(bytes.subarray(at + 8, end)))
      throw damaged(where, `the frame at byte ${at} has another checksum`);
    const payload = bytes.subarray(at + HEADER, end);
    if (head === null) head = headOf(payload, where);
    else if (bytes[at + 8] === ENTRY) sealed.push(payload);
    at = end;
  }
  if (head === null) throw damaged(where, "its head is missing");
  return { head, sealed };
}

/** Of which run a vault is. Throws `VaultError` for what is none. */
export function vaultRun(file: Uint8Array, where: string): string {
  return readVault(file, where).head.run;
}

function headOf(payload: Buffer, where: string): VaultHead {
  let head: Partial<VaultHead>;
  try {
    head = JSON.parse(payload.toString()) as Partial<VaultHead>;
  } catch {
    throw damaged(where, "its head is no JSON");
  }
  if (typeof head.v === "number" && head.v > 1)
    throw new VaultError("newer", `${where} has version ${head.v}, this release reads 1`, "update reenact");
  if (typeof head.run !== "string" || !Array.isArray(head.keys)) throw damaged(where, "its head lacks run or keys");
  return head as VaultHead;
}

/** Throws for an entry that is not as it was sealed. */
export function openEntries(
  sealed: readonly Uint8Array[],
  dataKey: Uint8Array,
  run: string,
  where: string,
): VaultEntry[] {
  return sealed.map((each, number) => {
    const plain = openBox(dataKey, number, run, each);
    if (plain === null) throw damaged(where, `entry ${number + 1} was changed since it was sealed`);
    try {
      const text =
        plain[0] === DEFLATED ? inflateRawSync(plain.subarray(1), { maxOutputLength: LONGEST }) : plain.subarray(1);
      return JSON.parse(text.toString()) as VaultEntry;
    } catch (cause) {
      throw damaged(where, `entry ${number + 1} makes no sense`, cause);
    }
  });
}

function damaged(where: string, why: string, cause?: unknown): VaultError {
  return new VaultError(
    "damaged",
    `${where} is damaged: ${why}`,
    "take the file from a backup; the run itself still replays as redacted",
    cause === undefined ? {} : { cause },
  );
}
