import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { EnvelopeError } from "../envelope-error.ts";
import { compress, decompress, FRAME_HEAD } from "../file/frames.ts";
import { type PackIndex, packIndex } from "./pack-index.ts";

const VERSION = 1;
const SKIPPABLE = 0x184d2a51;
const NAME = "RNCP";
/** Fixed size of what a pack ends with. */
export const PACK_TRAILER = 32;
/** An index is refused above this, before it is decompressed. */
const MAX_INDEX = 256 * 1024 ** 2;

export function packFooter(index: PackIndex): Uint8Array {
  const text = canonicalize(index);
  if (text === undefined) throw new EnvelopeError("BAD_HEADER", "pack index", "cannot be written as JSON");
  const raw = Buffer.from(text);
  const frame = compress(raw);
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUInt32LE(SKIPPABLE, 0);
  head.writeUInt32LE(frame.length + PACK_TRAILER, 4);
  const trailer = Buffer.alloc(PACK_TRAILER);
  trailer.writeUInt32LE(frame.length, 0);
  trailer.writeUInt32LE(raw.length, 4);
  hash("sha256", raw, "buffer").copy(trailer, 8, 0, 16);
  trailer.writeUInt16LE(VERSION, 24);
  trailer.write(NAME, 28, "latin1");
  return Buffer.concat([head, frame, trailer]);
}

/** How many bytes the footer takes, from the last bytes of a pack (32 or more). Throws `NOT_A_PACK`, `NEWER_VERSION`. */
export function packFooterLength(tail: Uint8Array): number {
  const trailer = trailerOf(tail);
  const version = trailer.readUInt16LE(24);
  if (version > VERSION) {
    const why = `written in version ${version}, this program reads up to version ${VERSION}`;
    throw new EnvelopeError("NEWER_VERSION", "pack", why);
  }
  return FRAME_HEAD + trailer.readUInt32LE(0) + PACK_TRAILER;
}

/**
 * The index of a pack, from its last bytes; they must hold the whole footer (`packFooterLength`), else `TRUNCATED`. With
 * the pack's size it is also checked that every run lies in it. Throws `DAMAGED`, `DIGEST_MISMATCH`, `BAD_HEADER`,
 * `TOO_LARGE` too.
 */
export function readPackIndex(tail: Uint8Array, size = Number.MAX_SAFE_INTEGER): PackIndex {
  const length = packFooterLength(tail);
  if (length > size) throw new EnvelopeError("DAMAGED", "pack", `a footer of ${length} bytes in a pack of ${size}`);
  if (tail.length < length)
    throw new EnvelopeError("TRUNCATED", "pack", `${tail.length} of the ${length} bytes of its footer`);
  const trailer = trailerOf(tail);
  const footer = Buffer.from(tail.buffer, tail.byteOffset + tail.length - length, length);
  if (footer.readUInt32LE(0) !== SKIPPABLE || footer.readUInt32LE(4) !== length - FRAME_HEAD)
    throw new EnvelopeError("DAMAGED", "pack", "its footer is no skippable frame of the length it names");
  const rawLength = trailer.readUInt32LE(4);
  if (rawLength > MAX_INDEX) throw new EnvelopeError("TOO_LARGE", "pack index", `${rawLength} bytes`);
  const raw = decompress(footer.subarray(FRAME_HEAD, length - PACK_TRAILER), rawLength, "pack index");
  if (!hash("sha256", raw, "buffer").subarray(0, 16).equals(trailer.subarray(8, 24)))
    throw new EnvelopeError("DIGEST_MISMATCH", "pack", "its index was changed");
  return checked(raw, size - length);
}

function trailerOf(tail: Uint8Array): Buffer {
  const trailer = Buffer.from(
    tail.buffer,
    tail.byteOffset + Math.max(0, tail.length - PACK_TRAILER),
    Math.min(tail.length, PACK_TRAILER),
  );
  if (trailer.length < PACK_TRAILER || trailer.toString("latin1", 28, 32) !== NAME || trailer.readUInt16LE(24) === 0)
    throw new EnvelopeError("NOT_A_PACK", "pack", "it does not end like one");
  return trailer;
}

function checked(raw: Buffer, room: number): PackIndex {
  let value: unknown;
  try {
    value = JSON.parse(raw.toString("utf8"));
  } catch (error) {
    throw EnvelopeError.from(error, "BAD_HEADER", "pack index");
  }
  const parsed = packIndex.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new EnvelopeError("BAD_HEADER", "pack index", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const outside = parsed.data.runs.find(({ offset, length }) => offset + length > room);
  if (outside)
    throw new EnvelopeError("BAD_HEADER", "pack index", `run ${outside.run} lies outside of the ${room} bytes of runs`);
  return parsed.data;
}
