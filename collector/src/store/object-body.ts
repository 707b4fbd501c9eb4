import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { ObjectBody } from "./object-store.ts";
import { StoreError } from "./store-error.ts";

const PIECE = 1 << 20;

/**
 * The body from byte `from` to `to` in pieces of at most `size` bytes; each is the caller's to keep. Throws `DAMAGED` if
 * its file has changed.
 */
export async function* piecesOf(
  body: ObjectBody,
  { size = PIECE, from = 0, to = body.length }: { size?: number; from?: number; to?: number } = {},
): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    for (let at = from; at < to; at += size) yield body.subarray(at, Math.min(at + size, to));
    return;
  }
  const file = await open(body.path, "r");
  try {
    for (let at = from; at < to; at += size) {
      // oxlint-disable-next-line no-await-in-loop
      yield await readWhole(file, at, Math.min(size, to - at), body.path);
    }
  } finally {
    await file.close();
  }
}

/** A range of bodies that follow one another. */
export async function* rangeOf(
  bodies: readonly ObjectBody[],
  { offset, length }: { readonly offset: number; readonly length: number },
): AsyncGenerator<Uint8Array> {
  let begin = 0;
  for (const body of bodies) {
    const from = Math.max(0, offset - begin);
    const to = Math.min(body.length, offset + length - begin);
    if (from < to) yield* piecesOf(body, { from, to });
    begin += body.length;
  }
}

/** All of it, in memory. */
export async function wholeBody(body: ObjectBody): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const file = await open(body.path, "r");
  try {
    return await readWhole(file, 0, body.length, body.path);
  } finally {
    await file.close();
  }
}

/** SHA-256, hex. */
export async function bodyDigest(body: ObjectBody): Promise<string> {
  const sum = createHash("sha256");
  for await (const piece of piecesOf(body)) sum.update(piece);
  return sum.digest("hex");
}

async function readWhole(file: FileHandle, at: number, length: number, path: string): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    // oxlint-disable-next-line no-await-in-loop
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new StoreError("DAMAGED", path, `ends after ${at + done} bytes, ${at + length} wanted`);
    done += bytesRead;
  }
  return bytes;
}
