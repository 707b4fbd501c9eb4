import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";
import { JournalError } from "../../journal-error.ts";
import type { FetchedEntry } from "./partition-journal.ts";

const head = z.strictObject({
  offset: z.number().int().nonnegative(),
  tenant: z.string(),
  kind: z.number().int(),
  receivedAt: z.number(),
  length: z.number().int().nonnegative(),
});

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The entries of a partition that are still needed from before an offset: one zstd frame of heads and bodies. */
export async function encodeCheckpoint(entries: readonly FetchedEntry[]): Promise<Uint8Array> {
  const heads = entries.map(({ body, ...entry }) => ({ ...entry, length: body.length }));
  const text = Buffer.from(JSON.stringify(heads));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return compress(Buffer.concat([length, text, ...entries.map(({ body }) => body)]));
}

/** Throws `JournalError` with `DAMAGED` for bytes that `encodeCheckpoint` did not make. */
export async function decodeCheckpoint(bytes: Uint8Array, key: string): Promise<FetchedEntry[]> {
  try {
    const plain = await decompress(bytes);
    const begin = 4 + plain.readUInt32LE(0);
    const heads = z.array(head).parse(JSON.parse(plain.toString("utf8", 4, begin)));
    let at = begin;
    return heads.map(({ length, ...entry }) => {
      const body = plain.subarray(at, (at += length));
      if (body.length < length) throw new Error("it ends early");
      return { ...entry, body };
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new JournalError("DAMAGED", `the checkpoint ${key} cannot be read: ${why}`, error);
  }
}
