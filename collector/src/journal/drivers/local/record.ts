import { crc32 } from "node:zlib";
import { joinCrc } from "./join-crc.ts";

/*
 * How records lie in a segment, and, until they are written, in the ring. Little-endian, each record at a multiple of 8.
 *
 * segment = head, head again, records
 * head    = magic u32 | version u16 | 0 u16 | segment u32 | salt u32 | created f64 | 0 u32 | crc u32 of the 28 before
 * record  = magic u32 | body length u32 | crc u32 of all behind it | kind u16 | tenant length u8 | flags u8
 *           | segment u32 | salt u32 | received f64 | tenant | body | zeros to a multiple of 8
 *
 * The salt is drawn per segment: a body that contains what looks like a record is never taken for one.
 */
export const RECORD_HEAD = 32;
export const SEGMENT_HEAD = 64;
export const JOURNAL_VERSION = 1;
const RECORD_MAGIC = 0x31524a52;
const SEGMENT_MAGIC = 0x31534a52;
/** As a body length is 32 bits, and one more than this is no request of anybody. */
export const MAX_BODY = 2 ** 30;

/** Flag in the ring only: the body is not behind its head, it comes as a message. */
export const LONG = 1;
/** Flag in the ring only: the place of the checksum holds that of the body, which is not to be computed again. */
export const BODY_CRC = 2;

/** Rest of the ring from here to its end is empty. */
export const RING_FILLER = 0;

export const padded = (size: number): number => Math.ceil(size / 8) * 8;

export interface SegmentIdentity {
  segment: number;
  salt: number;
}

export interface RecordFacts {
  kind: number;
  tenantLength: number;
  bodyLength: number;
  receivedAt: number;
  flags: number;
}

/**
 * All of a head but segment, salt and checksum, which `stampRecord` fills in where the record is written. `bodyCrc`: for
 * the flag `BODY_CRC`.
 */
export function writeRecordHead(view: DataView, at: number, facts: RecordFacts, bodyCrc = 0): void {
  view.setUint32(at, RECORD_MAGIC, true);
  view.setUint32(at + 4, facts.bodyLength, true);
  view.setUint32(at + 8, bodyCrc, true);
  view.setUint16(at + 12, facts.kind, true);
  view.setUint8(at + 14, facts.tenantLength);
  view.setUint8(at + 15, facts.flags);
  view.setFloat64(at + 24, facts.receivedAt, true);
}

export function readRecordFacts(view: DataView, at: number): RecordFacts {
  return {
    bodyLength: view.getUint32(at + 4, true),
    kind: view.getUint16(at + 12, true),
    tenantLength: view.getUint8(at + 14),
    flags: view.getUint8(at + 15),
    receivedAt: view.getFloat64(at + 24, true),
  };
}

/** Without padding. */
export const recordSize = (facts: RecordFacts): number => RECORD_HEAD + facts.tenantLength + facts.bodyLength;

/** `body` only where it does not lie behind its head. */
export function stampRecord(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { segment, salt }: SegmentIdentity,
  body?: Uint8Array,
): void {
  const facts = readRecordFacts(view, at);
  const known = (facts.flags & BODY_CRC) !== 0;
  view.setUint8(at + 15, 0);
  view.setUint32(at + 16, segment, true);
  view.setUint32(at + 20, salt, true);
  const behind = body || known ? RECORD_HEAD + facts.tenantLength : recordSize(facts);
  let crc = crc32(bytes.subarray(at + 12, at + behind));
  if (known) crc = joinCrc(crc, view.getUint32(at + 8, true), facts.bodyLength);
  else if (body) crc = crc32(body, crc);
  view.setUint32(at + 8, crc, true);
}

export type RecordState =
  | { state: "whole"; facts: RecordFacts; size: number }
  /** `needed`: bytes from here that a whole record would take, at least */
  | { state: "cut"; needed: number }
  | { state: "bad" };

/** Reads the record at `at`. `salt` null: the head of the segment is lost, and any salt is accepted. */
export function lookAtRecord(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  segment: number,
  salt: number | null,
): RecordState {
  if (at + RECORD_HEAD > bytes.length) return { state: "cut", needed: RECORD_HEAD };
  if (view.getUint32(at, true) !== RECORD_MAGIC || view.getUint32(at + 16, true) !== segment) return { state: "bad" };
  if (salt !== null && view.getUint32(at + 20, true) !== salt) return { state: "bad" };
  const facts = readRecordFacts(view, at);
  if (facts.bodyLength > MAX_BODY) return { state: "bad" };
  const size = recordSize(facts);
  if (at + size > bytes.length) return { state: "cut", needed: size };
  const crc = crc32(bytes.subarray(at + 12, at + size));
  return crc === view.getUint32(at + 8, true) ? { state: "whole", facts, size } : { state: "bad" };
}

const MAGIC_BYTES = Buffer.alloc(4);
MAGIC_BYTES.writeUInt32LE(RECORD_MAGIC);

/** The next whole record at or behind `from`, or -1. `origin`: a multiple of 8 in the segment that `bytes` begin at. */
export function findRecord(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  id: { segment: number; salt: number | null },
) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(MAGIC_BYTES, from); at >= 0; at = buffer.indexOf(MAGIC_BYTES, at + 4)) {
    if (at % 8 === 0 && lookAtRecord(bytes, view, at, id.segment, id.salt).state === "whole") return at;
  }
  return -1;
}

export function segmentHead({ segment, salt }: SegmentIdentity, created: number): Uint8Array {
  const bytes = new Uint8Array(SEGMENT_HEAD);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SEGMENT_MAGIC, true);
  view.setUint16(4, JOURNAL_VERSION, true);
  view.setUint32(8, segment, true);
  view.setUint32(12, salt, true);
  view.setFloat64(16, created, true);
  view.setUint32(28, crc32(bytes.subarray(0, 28)), true);
  bytes.copyWithin(32, 0, 32);
  return bytes;
}

export type SegmentHeadState = { version: number; salt: number } | null;

/** null: both copies are damaged, or not there. */
export function readSegmentHead(bytes: Uint8Array, segment: number): SegmentHeadState {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const at of [0, 32]) {
    if (at + 32 > bytes.length || view.getUint32(at, true) !== SEGMENT_MAGIC) continue;
    if (crc32(bytes.subarray(at, at + 28)) !== view.getUint32(at + 28, true)) continue;
    if (view.getUint32(at + 8, true) !== segment) continue;
    return { version: view.getUint16(at + 4, true), salt: view.getUint32(at + 12, true) };
  }
  return null;
}
