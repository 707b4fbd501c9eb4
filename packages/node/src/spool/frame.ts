import { crc32 } from "node:zlib";
import { keptMemory } from "./kept-memory.ts";

/**
 * A spool file is a sequence of frames: payload length u32, CRC-32 of kind and payload u32 (both little endian),
 * kind u8, payload. Only the end of a file may be torn.
 */
export const FRAME = {
  /** JSON: format version, instance, process id and where that counts, launch, resource */
  open: 1,
  /** JSON: facts of a run */
  started: 2,
  /** JSON: root facts of every run of this process that are known early */
  facts: 3,
  /** JSON: facts of a step that has begun */
  begin: 4,
  /** JSON: `[run, step, position, epoch ms]` */
  settle: 5,
  /** a step that is under way, as `draftParts` writes it */
  request: 6,
  /** `<run>`, line feed, OTLP TracesData with one span: the root */
  span: 7,
  /** f64: epoch ms */
  heartbeat: 8,
  /** the run's id */
  over: 9,
  /** nothing: the process has ended in good order */
  closed: 10,
  /** an ended step, as `draftParts` writes it */
  step: 11,
  /** JSON: metadata that the agent added to a run, with `run` */
  metadata: 12,
  /** JSON: `[run, step, number, typed value]`: what a step that is under way has yielded */
  yield: 13,
  /** `<run> <1 or 0>`, line feed, OTLP TracesData with one span: the root when the answer had gone out; 1: nothing was under way */
  answered: 14,
  /** `<run>`, line feed, typed encoding: what the run was asked; a later one replaces it */
  input: 15,
} as const;

export type FrameKind = keyof typeof FRAME;

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
  /** where it ends in the file */
  readonly end: number;
}

const HEADER = 9;
/** A frame is never longer: a body is at most 64 MiB, and a span holds a few. */
const LONGEST = 512 * 1024 * 1024;
const NAMES = new Map(Object.entries(FRAME).map(([name, code]) => [code as number, name as FrameKind]));

export function encodeFrame(kind: FrameKind, ...parts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(frameParts(kind, parts));
}

const memory = keptMemory(1024 * 1024);

/** The pieces of a frame in their order, good until the next call. Those of a large one are not copied. */
export function frameParts(kind: FrameKind, parts: readonly (string | Uint8Array)[]): Uint8Array[] {
  // a UTF-16 unit has at most three bytes
  const most = parts.reduce((sum, part) => sum + part.length * (typeof part === "string" ? 3 : 1), HEADER);
  const kept = memory(most);
  if (kept === null) return largeParts(kind, parts);
  let end = HEADER;
  for (const part of parts) {
    if (typeof part === "string") end += kept.write(part, end);
    else {
      kept.set(part, end);
      end += part.length;
    }
  }
  kept[8] = FRAME[kind];
  kept.writeUInt32LE(end - HEADER, 0);
  kept.writeUInt32LE(crc32(kept.subarray(8, end)), 4);
  return [kept.subarray(0, end)];
}

function largeParts(kind: FrameKind, parts: readonly (string | Uint8Array)[]): Uint8Array[] {
  const payload = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  const header = Buffer.alloc(HEADER);
  header[8] = FRAME[kind];
  const sum = payload.reduce((crc, part) => crc32(part, crc), crc32(header.subarray(8)));
  header.writeUInt32LE(
    payload.reduce((length, part) => length + part.length, 0),
    0,
  );
  header.writeUInt32LE(sum, 4);
  return [header, ...payload];
}

export const CLOSED = encodeFrame("closed");

export interface Frames {
  frames: Frame[];
  /** one line per damaged place; a torn end is none */
  damage: string[];
}

/** Reads what is whole. Behind a damaged frame it goes on at the next one that proves itself. */
export function readFrames(file: Buffer): Frames {
  const frames: Frame[] = [];
  const damage: string[] = [];
  let at = 0;
  while (at < file.length) {
    const frame = frameAt(file, at);
    if (frame !== null) {
      frames.push(frame);
      at = frame.end;
      continue;
    }
    const next = nextFrame(file, at + 1);
    if (next === null) break; // torn by the death of the process
    damage.push(`${next - at} bytes at ${at} are damaged`);
    at = next;
  }
  return { frames, damage };
}

/**
 * The whole frames that `bytes` begins with; `base`: where they lie in the file. `needs`: how many bytes the next one has,
 * 0 if its header is not whole. `damaged`: it is all there and is none.
 */
export function wholeFrames(
  bytes: Buffer,
  base: number,
): { frames: Frame[]; used: number; needs: number; damaged: boolean } {
  const frames: Frame[] = [];
  let used = 0;
  for (let frame = frameAt(bytes, 0); frame !== null; frame = frameAt(bytes, used)) {
    used = frame.end;
    frames.push({ ...frame, end: base + used });
  }
  const rest = bytes.length - used;
  const needs = rest < HEADER ? 0 : HEADER + bytes.readUInt32LE(used);
  return { frames, used, needs, damaged: needs > 0 && needs <= rest };
}

function frameAt(file: Buffer, at: number): Frame | null {
  if (at + HEADER > file.length) return null;
  const length = file.readUInt32LE(at);
  const kind = NAMES.get(file[at + 8] as number);
  if (kind === undefined || length > LONGEST || at + HEADER + length > file.length) return null;
  const end = at + HEADER + length;
  if (crc32(file.subarray(at + 8, end)) !== file.readUInt32LE(at + 4)) return null;
  return { kind, payload: file.subarray(at + HEADER, end), end };
}

/** Bytes that may be hashed while looking for the next whole frame: keeps a file made on purpose from taking for ever. */
const SEARCH = 256 * 1024 * 1024;

function nextFrame(file: Buffer, from: number): number | null {
  let hashed = 0;
  for (let at = from; at + HEADER <= file.length; at++) {
    if (!NAMES.has(file[at + 8] as number)) continue;
    const length = file.readUInt32LE(at);
    if (length > LONGEST || at + HEADER + length > file.length) continue;
    hashed += length + 1;
    if (hashed > SEARCH) return null;
    if (frameAt(file, at) !== null) return at;
  }
  return null;
}
