import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { ObjectBody } from "./object-store.ts";
import { StoreError } from "./store-error.ts";

const PIECE = 1 << 20;

/** The body in pieces of at most `size` bytes; each is the caller's to keep. Throws `DAMAGED` if its file has changed. */
export async function* piecesOf(body: ObjectBody, size = PIECE): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
    return;
  }
  const file = await open(body.path, "r");
  try {
    for (let at = 0; at < body.length; at += size) {
      // oxlint-disable-next-line no-await-in-loop
      yield await readWhole(file, at, Math.min(size, body.length - at), body.path);
    }
  } finally {
    await file.close();
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
