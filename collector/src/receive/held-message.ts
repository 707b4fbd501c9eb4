import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { giveBack } from "./give-back.ts";

/** Holds the bytes of a message while it arrives. */
export interface HeldMessage {
  /** Copies a piece. null: there is room for more; else more may be put once it resolves. Rejects if the disk fails. */
  put(piece: Uint8Array): Promise<void> | null;
  /** All of them. */
  whole(): Promise<Buffer>;
  /** Lets go of what was not asked for with `whole`. Call it once. */
  drop(): void;
}

/** Holds a message in one buffer, whose memory becomes resident as it is written. */
export function holdInMemory(size: number): HeldMessage {
  const buffer = Buffer.allocUnsafeSlow(size);
  let length = 0;
  let taken = false;
  return {
    put(piece) {
      buffer.set(piece, length);
      length += piece.length;
      return null;
    },
    async whole() {
      taken = true;
      return buffer;
    },
    drop: () => {
      if (!taken) giveBack(buffer);
    },
  };
}

const CHUNK = 1024 * 1024;

/** Holds a message in an unlinked file of `folder`: a sender that stops before the end of a long message takes no memory. */
export async function holdInFile(size: number, folder: string): Promise<HeldMessage> {
  const path = join(folder, randomUUID());
  const file: FileHandle = await open(path, "wx+", 0o600);
  await rm(path, { force: true });
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  let at = 0;
  let writing: Promise<void> = Promise.resolve();

  async function flush(rest: Uint8Array): Promise<void> {
    await file.writeFile(chunk.subarray(0, at));
    at = 0;
    await put(rest);
  }
  function put(piece: Uint8Array): Promise<void> | null {
    const now = Math.min(piece.length, CHUNK - at);
    chunk.set(piece.subarray(0, now), at);
    at += now;
    return at < CHUNK ? null : flush(piece.subarray(now));
  }
  return {
    put(piece) {
      const written = put(piece);
      if (written !== null) writing = written.catch(() => {});
      return written;
    },
    async whole() {
      await writing;
      await file.writeFile(chunk.subarray(0, at));
      const all = Buffer.allocUnsafeSlow(size);
      for (let done = 0; done < size;) {
        const { bytesRead } = await file.read(all, done, size - done, done);
        if (bytesRead === 0) throw new Error(`a message of ${size} bytes ends in its file at ${done}`);
        done += bytesRead;
      }
      return all;
    },
    drop: () => {
      void writing.then(() => file.close()).catch(() => {});
    },
  };
}
