import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { BadBody, type BodyEncoding } from "./body-encoding.ts";
import type { BodyLimits } from "./read-body.ts";
import { tooLong } from "./read-body.ts";
import type { StatusName } from "./status.ts";

/** A body that is too large for memory, inflated, in a file. */
export interface BodyFile {
  /** for reading */
  readonly file: FileHandle;
  readonly length: number;
  remove(): Promise<void>;
}

export type WrittenBody =
  | ({ is: "written" } & BodyFile)
  /** the sender went away */
  | { is: "gone" }
  | { is: "refused"; status: StatusName; message: string };

export interface BodyFiles {
  /** Takes what has come of a body, and what still comes. Never rejects. */
  write(request: IncomingMessage, begun: readonly Uint8Array[], encoding: BodyEncoding): Promise<WrittenBody>;
}

/** Bodies at a time: each takes disk, and a moment of the thread when it is whole. */
const AT_ONCE = 4;
/** bytes between two looks at the free disk */
const LOOK_EVERY = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;

class Refused extends Error {
  override readonly name = "Refused";
  readonly status: StatusName;

  constructor(status: StatusName, message: string) {
    super(message);
    this.status = status;
  }
}

/** `folder` is emptied first: what is left there was never acknowledged. */
export function createBodyFiles(folder: string, limits: BodyLimits, minFreeBytes: number): BodyFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  let underWay = 0;

  function assertRoom(bytes: number): void {
    const { bavail, bsize } = statfsSync(folder);
    // once here, once in the journal
    if (bavail * bsize - 2 * bytes < minFreeBytes) throw new Refused("unavailable", "the disk is full");
  }

  async function receive(
    request: IncomingMessage,
    begun: readonly Uint8Array[],
    encoding: BodyEncoding,
    file: FileHandle,
  ): Promise<number> {
    const chunks = chunkWriter(file, (length) => {
      if (length > limits.bodyBytes) throw new Refused("tooLarge", tooLong(limits.bodyBytes));
      if (length % LOOK_EVERY < CHUNK) assertRoom(length);
    });
    if (encoding === "identity") await flow(request, begun, (piece) => chunks.put(piece), limits);
    else {
      const inflater = encoding === "gzip" ? createGunzip() : createZstdDecompress();
      const pass = (piece: Uint8Array) => (inflater.write(piece) ? null : once(inflater, "drain").then(() => {}));
      try {
        const inflated = flow(inflater, [], (piece) => chunks.put(piece), null);
        const packed = flow(request, begun, pass, limits).then(() => void inflater.end());
        await Promise.all([inflated, packed]);
      } finally {
        inflater.destroy();
      }
    }
    return chunks.end();
  }

  return {
    async write(request, begun, encoding) {
      if (underWay >= AT_ONCE)
        return refusal("unavailable", "as many large requests as there is room for are under way");
      underWay++;
      const path = join(folder, randomUUID());
      let file: FileHandle | null = null;
      try {
        assertRoom(Number(request.headers["content-length"] ?? 0));
        file = await open(path, "wx+", 0o600);
        const length = await receive(request, begun, encoding, file);
        const opened = file;
        const remove = async () => {
          underWay--;
          await opened.close();
          await rm(path, { force: true });
        };
        return { is: "written", file, length, remove };
      } catch (error) {
        underWay--;
        await file?.close();
        await rm(path, { force: true });
        return outcomeOf(error, request, encoding);
      }
    },
  };
}

/** Brings pieces to a file in a buffer of its own: they are garbage at once, before there is much of it. */
function chunkWriter(file: FileHandle, check: (length: number) => void) {
  const buffer = Buffer.allocUnsafeSlow(CHUNK);
  let at = 0;
  let length = 0;
  async function flush(rest: Uint8Array): Promise<void> {
    await file.writeFile(buffer.subarray(0, at));
    at = 0;
    await put(rest);
  }
  /** null: there is room for more. */
  function put(piece: Uint8Array): Promise<void> | null {
    const now = Math.min(piece.length, CHUNK - at);
    buffer.set(piece.subarray(0, now), at);
    at += now;
    length += now;
    if (at < CHUNK) return null;
    check(length);
    return flush(piece.subarray(now));
  }
  return {
    put,
    async end(): Promise<number> {
      check(length);
      if (at > 0) await flush(new Uint8Array());
      return length;
    },
  };
}

/** Passes all pieces of a stream to `put`, also those that it has buffered; the stream is paused while `put` waits. */
async function flow(
  stream: Readable,
  begun: readonly Uint8Array[],
  put: (piece: Uint8Array) => Promise<void> | null,
  rate: Pick<BodyLimits, "graceMs" | "minRate"> | null,
): Promise<void> {
  let bytes = 0;
  for (const piece of begun) {
    bytes += piece.length;
    await put(piece);
  }
  if (stream.readableEnded) return;
  const over = Promise.withResolvers<void>();
  /** time in which we waited for it, and not it for us; what had come, and the time, at the last look */
  let waited = 0;
  let since: number | null = performance.now();
  let seen = { bytes, waited };
  const timer = setInterval(() => {
    const total = waited + (since === null ? 0 : performance.now() - since);
    const [time, came] = [total - seen.waited, bytes - seen.bytes];
    if (rate === null || time < rate.graceMs) return;
    seen = { bytes, waited: total };
    if (came < (time * rate.minRate) / 1000)
      over.reject(new Refused("tooSlow", `${came} bytes in ${Math.round(time)} ms`));
  }, 1000);
  const onData = (piece: Buffer): void => {
    bytes += piece.length;
    let wait: Promise<void> | null;
    try {
      wait = put(piece);
    } catch (error) {
      return over.reject(error);
    }
    if (wait === null) return;
    stream.pause();
    waited += performance.now() - (since ?? performance.now());
    since = null;
    const goOn = (): void => {
      since = performance.now();
      stream.resume();
    };
    wait.then(goOn, over.reject);
  };
  const onClose = (): void => over.reject(new Error("it ended early"));
  stream.on("data", onData);
  stream.on("end", over.resolve);
  stream.on("error", over.reject);
  stream.on("close", onClose);
  stream.resume();
  try {
    await over.promise;
  } finally {
    clearInterval(timer);
    stream.off("data", onData);
    stream.off("close", onClose);
    // an error of a stream that is given up may still come
    stream.pause();
  }
}

const refusal = (status: StatusName, message: string): WrittenBody => ({ is: "refused", status, message });

function outcomeOf(error: unknown, request: IncomingMessage, encoding: BodyEncoding): WrittenBody {
  if (error instanceof Refused || error instanceof BadBody) return refusal(error.status, error.message);
  if (request.destroyed && !request.complete) return { is: "gone" };
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^(Z_|ZSTD_|ERR_ZSTD|ERR_ZLIB)/.test(code ?? "") || message === "unexpected end of file")
    return refusal("malformed", `does not decompress as ${encoding}: ${message}`);
  return refusal("unavailable", code === "ENOSPC" ? "the disk is full" : "cannot be written now");
}
