import {
  constants,
  crc32,
  gunzipSync,
  inflateSync,
  inflateRawSync,
  type ZlibOptions,
  zstdDecompressSync,
  type ZstdOptions,
} from "node:zlib";
import { errorCode } from "@reenact/envelope";

/** `Content-Encoding` of OTLP, and zstd; deflate (zlib's format) is one of gRPC. */
export type BodyEncoding = "identity" | "gzip" | "deflate" | "zstd";

/** null: one that is not offered over HTTP. */
export function bodyEncoding(header: string | undefined): BodyEncoding | null {
  const name = (header ?? "identity").trim().toLowerCase();
  if (name === "" || name === "identity") return "identity";
  return name === "gzip" || name === "zstd" ? name : null;
}

export class BadBody extends Error {
  override readonly name = "BadBody";
  readonly status: "malformed" | "tooLarge";

  constructor(status: "malformed" | "tooLarge", message: string) {
    super(message);
    this.status = status;
  }
}

export interface Inflated {
  bytes: Buffer;
  /** CRC-32 of them, where it had to be computed */
  crc?: number;
}

/** of an output buffer: what lies about its length is not to make many small ones */
const SMALLEST = 16 * 1024;

/**
 * Blocks. Never writes more than `limit` bytes: `tooLarge`. What does not decompress, or ends early: `malformed`.
 * One output buffer is taken of the size that the stream says it has, which no input can make larger than it allows.
 */
export function decompress(body: Uint8Array, encoding: Exclude<BodyEncoding, "identity">, limit: number): Inflated {
  const hint = announcedSize(body, encoding);
  // a stream can not hold more than so many times its own length, whatever it says; zstd can, and then grows
  const chunkSize = Math.max(SMALLEST, Math.min(hint + 1, limit + 1, body.length * 1032));
  try {
    if (encoding === "zstd") return { bytes: allFrames(body, limit, chunkSize) };
    const options: ZlibOptions = { maxOutputLength: limit, chunkSize };
    if (encoding === "deflate") return { bytes: inflateWhole(body, options) };
    return oneMember(body, options) ?? { bytes: gunzipSync(body, options) };
  } catch (error) {
    if (error instanceof BadBody) throw error;
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") {
      throw new BadBody("tooLarge", `more than ${limit} bytes when inflated`);
    }
    throw new BadBody(
      "malformed",
      `does not decompress as ${encoding}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Method deflate, no flags: no name, comment or the like follows. */
const PLAIN_HEAD = [0x1f, 0x8b, 8, 0];
const HEAD = 10;
const TRAILER = 8;

/** Inflates a gzip body of one member with a plain header, as nearly every sender makes, with its checksum. Null: it has another form. */
function oneMember(body: Uint8Array, options: ZlibOptions): Inflated | null {
  if (body.length < HEAD + TRAILER || PLAIN_HEAD.some((byte, at) => body[at] !== byte)) return null;
  const withInfo = { ...options, info: true };
  const { buffer: bytes, engine } = withEngine(inflateRawSync(body.subarray(HEAD), withInfo));
  const end = HEAD + engine.bytesWritten;
  if (end + TRAILER !== body.length) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const crc = crc32(bytes);
  if (view.getUint32(end, true) !== crc) throw new BadBody("malformed", "its checksum is another");
  if (view.getUint32(end + 4, true) !== bytes.length) throw new BadBody("malformed", "its length is another");
  return { bytes, crc };
}

/** Bytes after its end are no part of it, and there must be none. */
function inflateWhole(body: Uint8Array, options: ZlibOptions): Buffer {
  const { buffer, engine } = withEngine(inflateSync(body, { ...options, info: true }));
  if (engine.bytesWritten !== body.length) throw new BadBody("malformed", "bytes follow its end");
  return buffer;
}

/** Bytes that a body says it has when inflated; may lie. */
export function announcedSize(body: Uint8Array, encoding: BodyEncoding): number {
  if (encoding === "gzip") return gzipSize(body);
  if (encoding === "zstd") return zstdSize(body);
  return encoding === "deflate" ? body.length * 4 : body.length;
}

/** The length that the last member of a gzip stream claims; may be false. */
function gzipSize(body: Uint8Array): number {
  if (body.length < 18) return 0;
  return new DataView(body.buffer, body.byteOffset, body.length).getUint32(body.length - 4, true);
}

/** The length that the first frame claims for its content, 0 if it claims none; may be false. */
function zstdSize(body: Uint8Array): number {
  if (body.length < 18) return 0;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (view.getUint32(0, true) !== 0xfd2fb528) return 0;
  const descriptor = view.getUint8(4);
  const single = (descriptor & 32) !== 0;
  const at = 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  switch (descriptor >> 6) {
    case 0:
      return single ? view.getUint8(at) : 0;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

interface Result {
  buffer: Buffer;
  /** `bytesWritten`: bytes of the input that it has used */
  engine: { bytesWritten: number };
}

/** What a call of zlib with `info: true` returns, which its types do not say. */
function withEngine(result: {
  readonly buffer?: unknown;
  readonly engine?: { readonly bytesWritten?: unknown };
}): Result {
  const { buffer, engine } = result;
  const bytesWritten = engine?.bytesWritten;
  if (!Buffer.isBuffer(buffer) || typeof bytesWritten !== "number")
    throw new TypeError("zlib says nothing of its input");
  return { buffer, engine: { bytesWritten } };
}

/** The most frames of one body: senders make one or a few, and each needs a decoder of its own. */
const MOST_FRAMES = 1000;

/** Node decodes one frame a call and is silent about the rest. */
function allFrames(body: Uint8Array, limit: number, chunkSize: number): Buffer {
  const parts: Buffer[] = [];
  let left = limit;
  let frames = 0;
  for (let at = 0; at === 0 || at < body.length;) {
    const options: ZstdOptions & { info: true } = {
      info: true,
      // zero is no limit for Node
      maxOutputLength: Math.max(left, 1),
      chunkSize: Math.max(SMALLEST, Math.min(chunkSize, left + 1)),
      params: { [constants.ZSTD_d_windowLogMax]: Math.max(23, Math.min(27, Math.ceil(Math.log2(limit)))) },
    };
    const { buffer, engine } = withEngine(zstdDecompressSync(body.subarray(at), options));
    if (engine.bytesWritten === 0) throw new BadBody("malformed", "does not decompress as zstd: an empty frame");
    if (buffer.length > left) throw new BadBody("tooLarge", `more than ${limit} bytes when inflated`);
    if (++frames > MOST_FRAMES) throw new BadBody("tooLarge", `more than ${MOST_FRAMES} zstd frames`);
    parts.push(buffer);
    left -= buffer.length;
    at += engine.bytesWritten;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
