import { once } from "node:events";
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync, type ZstdOptions } from "node:zlib";
import { errorCode } from "../value/error-code.ts";
import { EnvelopeError } from "../envelope-error.ts";

/** Version of the envelope file that this code writes, and the newest that it reads. */
export const ENVELOPE_VERSION = 1;
/** Magic number and length. */
export const FRAME_HEAD = 8;
/** `RNCT` and the version. */
export const HEADER_HEAD = 6;
export const MAX_HEADER = 1024;
/** A header frame is never longer than this. */
export const MAX_HEADER_FRAME = FRAME_HEAD + HEADER_HEAD + MAX_HEADER;

const SKIPPABLE = 0x184d2a50;
const NAME = "RNCT";
const MAX_WINDOW_LOG = 27;
const CHECKSUM_BIT = 4;

export function headerFrame(json: string): Buffer {
  const header = Buffer.from(json);
  if (header.length > MAX_HEADER)
    throw new EnvelopeError("TOO_LARGE", "header", `${header.length} of ${MAX_HEADER} bytes`);
  const frame = Buffer.alloc(FRAME_HEAD + HEADER_HEAD);
  frame.writeUInt32LE(SKIPPABLE, 0);
  frame.writeUInt32LE(HEADER_HEAD + header.length, 4);
  frame.write(NAME, 8, "latin1");
  frame.writeUInt16LE(ENVELOPE_VERSION, 12);
  return Buffer.concat([frame, header]);
}

/** The header's text and the length of its frame. */
export function headerText(bytes: Uint8Array): { json: string; length: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wrong = (why: string) => new EnvelopeError("NOT_AN_ENVELOPE", "file", why);
  if (view.length < FRAME_HEAD + HEADER_HEAD) {
    if (view.length >= 4 && view.readUInt32LE(0) === SKIPPABLE) throw cutShort(view.length, FRAME_HEAD + HEADER_HEAD);
    throw wrong(`${view.length} bytes are too few`);
  }
  if (view.readUInt32LE(0) !== SKIPPABLE || view.toString("latin1", 8, 12) !== NAME)
    throw wrong("it does not begin like one");
  const version = view.readUInt16LE(12);
  if (version > ENVELOPE_VERSION) {
    const why = `written in version ${version}, this program reads up to version ${ENVELOPE_VERSION}`;
    throw new EnvelopeError("NEWER_VERSION", "envelope", why);
  }
  if (version === 0) throw wrong("version 0");
  const length = FRAME_HEAD + view.readUInt32LE(4);
  if (length < FRAME_HEAD + HEADER_HEAD || length > MAX_HEADER_FRAME) throw wrong(`header frame of ${length} bytes`);
  if (view.length < length) throw cutShort(view.length, length);
  return { json: view.toString("utf8", FRAME_HEAD + HEADER_HEAD, length), length };
}

export function cutShort(have: number, need: number): EnvelopeError {
  return new EnvelopeError("TRUNCATED", "envelope", `ends after ${have} of ${need} bytes`, { offset: have });
}

/** One zstd frame, level 3, its window just large enough. */
export function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, compressionOf(bytes.length));
}

/** The same frame, of `raw` bytes that come in pieces. Each piece of the frame goes to `out`, in order. */
export function compressing(
  raw: number,
  out: (piece: Uint8Array) => void,
): {
  /** Resolves when the piece is taken; it may be written over then. */
  write(piece: Uint8Array): Promise<void>;
  /** Resolves with the length of the frame. */
  end(): Promise<number>;
} {
  const stream = createZstdCompress(compressionOf(raw));
  let length = 0;
  stream.on("data", (piece: Buffer) => {
    length += piece.length;
    out(piece);
  });
  return {
    write: (piece) =>
      new Promise((resolve, reject) => void stream.write(piece, (error) => (error ? reject(error) : resolve()))),
    async end() {
      const ended = once(stream, "end");
      stream.end();
      await ended;
      return length;
    },
  };
}

function compressionOf(raw: number): ZstdOptions {
  return {
    params: {
      [constants.ZSTD_c_compressionLevel]: 3,
      [constants.ZSTD_c_windowLog]: Math.min(MAX_WINDOW_LOG, Math.max(10, Math.ceil(Math.log2(raw + 1)))),
      [constants.ZSTD_c_contentSizeFlag]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
    pledgedSrcSize: raw,
    // Node gives the compressor one chunk of output at a time, and V8 counts all of it until it is collected: chunks of a
    // quarter of the input made it mark the heap for every twentieth run. A small frame gets one that it fits into
    // whatever is in it.
    chunkSize: raw < 1 << 16 ? raw + (raw >> 8) + 512 : Math.max(1 << 16, Math.min(1 << 20, raw >> 5)),
  };
}

/** `raw` bytes, not one more is ever allocated. Throws `DAMAGED` or, for a frame that holds more, `TOO_LARGE`. */
export function decompress(frame: Uint8Array, raw: number, name: string): Buffer {
  const out = inflate(frame, raw, name, constants.ZSTD_e_end);
  if (out.length !== raw) throw new EnvelopeError("DAMAGED", name, `holds ${out.length} bytes, the header says ${raw}`);
  return out;
}

/** What a damaged frame still gives: everything before the damage. The checksum is not looked at. */
export function decompressWhatIsThere(frame: Uint8Array, raw: number, name: string): Buffer {
  const unchecked = withoutChecksum(frame);
  const attempt = (length: number) => {
    try {
      return inflate(unchecked.subarray(0, length), raw, name, constants.ZSTD_e_flush);
    } catch (error) {
      if (error instanceof EnvelopeError) return null;
      throw error;
    }
  };
  const all = attempt(unchecked.length);
  if (all) return all;
  let [good, bad] = [0, unchecked.length];
  let best: Buffer = Buffer.alloc(0);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const out = attempt(middle);
    if (out) [good, best] = [middle, out];
    else bad = middle;
  }
  return best;
}

function inflate(frame: Uint8Array, raw: number, name: string, finishFlush: number): Buffer {
  try {
    return zstdDecompressSync(frame, {
      params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG },
      maxOutputLength: Math.max(1, raw),
      chunkSize: Math.max(64, Math.min(1 << 20, raw + 1)),
      finishFlush,
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE")
      throw new EnvelopeError("TOO_LARGE", name, `holds more than the ${raw} bytes of the header`);
    throw EnvelopeError.from(error, "DAMAGED", name);
  }
}

/** The frame as if it had been written without a checksum, so that damage can be found span by span. */
function withoutChecksum(frame: Uint8Array): Uint8Array {
  const descriptor = frame[4];
  if (descriptor === undefined || (descriptor & CHECKSUM_BIT) === 0) return frame;
  const copy = Uint8Array.from(frame.subarray(0, Math.max(5, frame.length - 4)));
  copy[4] = descriptor & ~CHECKSUM_BIT;
  return copy;
}
