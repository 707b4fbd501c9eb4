/** Types of frames, RFC 9113. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const FLAG = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

const HEAD = 9;
/** What a client writes before its first frame. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** Payload of a frame where nothing else was agreed on. */
const MOST_PAYLOAD = 16_384;
/** Frames of one header block; Node's own session fails far below it. */
const MOST_OF_BLOCK = 1024;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** of a header block: the fragments of all its frames, without padding and priority */
  readonly payload: Buffer;
  /** as it came, with the frames that continue it */
  readonly wire: Buffer;
}

/** Divides one direction of a connection into frames. `feed` throws at what is none. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #prefaceLeft: number;
  /** the first frame of a server is one of settings: what begins otherwise is of another protocol */
  #isGreeted: boolean;
  #block: { readonly frame: Frame; payloads: Buffer[]; wires: Buffer[] } | null = null;

  /** `from`: who writes; a client begins with a preface. */
  constructor(from: "client" | "server") {
    this.#prefaceLeft = from === "client" ? PREFACE.length : 0;
    this.#isGreeted = from === "client";
  }

  /** Bytes that are part of no whole frame yet. */
  get rest(): Buffer {
    return Buffer.concat([...(this.#block?.wires ?? []), this.#bytes]);
  }

  /** What has come is another protocol, such as the answer of a server of HTTP/1. */
  get isOther(): boolean {
    return !this.#isGreeted && this.#bytes.length >= HEAD;
  }

  /** What has come of the bytes of an answer whose frame is not whole; null: what has come is none of that. */
  get partOfData(): Frame | null {
    const wire = this.#bytes;
    if (this.#block !== null || wire.length <= HEAD || wire.readUInt8(3) !== FRAME.data) return null;
    if ((wire.readUInt8(4) & FLAG.padded) !== 0) return null;
    const stream = wire.readUInt32BE(5) & 0x7fff_ffff;
    return { type: FRAME.data, flags: 0, stream, payload: wire.subarray(HEAD), wire };
  }

  feed(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    const preface = Math.min(this.#prefaceLeft, this.#bytes.length);
    this.#prefaceLeft -= preface;
    this.#bytes = this.#bytes.subarray(preface);
    for (let length = this.#whole(); length !== null; length = this.#whole()) {
      const wire = this.#bytes.subarray(0, HEAD + length);
      this.#bytes = this.#bytes.subarray(HEAD + length);
      const frame = this.#joined({
        type: wire.readUInt8(3),
        flags: wire.readUInt8(4),
        stream: wire.readUInt32BE(5) & 0x7fff_ffff,
        payload: wire.subarray(HEAD),
        wire,
      });
      if (frame !== null) frames.push(frame);
    }
    return frames;
  }

  /** Length of the payload of the next frame, if all of it is there. */
  #whole(): number | null {
    if (this.#bytes.length < HEAD) return null;
    this.#isGreeted ||= this.#bytes.readUInt8(3) === FRAME.settings;
    if (!this.#isGreeted) return null;
    const length = this.#bytes.readUIntBE(0, 3);
    return this.#bytes.length < HEAD + length ? null : length;
  }

  /** Null: more of its header block follows. */
  #joined(frame: Frame): Frame | null {
    const block = this.#block;
    if (frame.type === FRAME.continuation) {
      if (block === null || block.frame.stream !== frame.stream) throw new Error("a continuation of no header block");
      if (block.wires.length >= MOST_OF_BLOCK) throw new Error("a header block does not end");
      block.payloads.push(frame.payload);
      block.wires.push(frame.wire);
    } else if (block !== null) throw new Error("a header block is interrupted");
    const isBlock = frame.type === FRAME.headers || frame.type === FRAME.push;
    if (isBlock) this.#block = { frame, payloads: [fragmentOf(frame)], wires: [frame.wire] };
    const open = this.#block;
    if (open === null) return frame.type === FRAME.data ? { ...frame, payload: unpadded(frame) } : frame;
    if ((frame.flags & FLAG.endHeaders) === 0) return null;
    this.#block = null;
    return { ...open.frame, payload: Buffer.concat(open.payloads), wire: Buffer.concat(open.wires) };
  }
}

function unpadded({ flags, payload }: Frame): Buffer {
  if ((flags & FLAG.padded) === 0) return payload;
  return payload.subarray(1, payload.length - payload.readUInt8(0));
}

/** The part of a header block that a frame holds. */
function fragmentOf(frame: Frame): Buffer {
  const payload = unpadded(frame);
  if (frame.type === FRAME.push) return payload.subarray(4);
  return (frame.flags & FLAG.priority) === 0 ? payload : payload.subarray(5);
}

export function writeFrame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Frames that carry these bytes. `ends`: nothing follows on this stream. */
export function writeData(stream: number, bytes: Buffer, ends: boolean): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MOST_PAYLOAD) {
    const part = bytes.subarray(at, at + MOST_PAYLOAD);
    const isLast = at + part.length >= bytes.length;
    frames.push(writeFrame(FRAME.data, ends && isLast ? FLAG.endStream : 0, stream, part));
  }
  return Buffer.concat(frames);
}

/** Frames that carry a header block. */
export function writeHeaders(stream: number, block: Buffer, ends: boolean): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < block.length; at += MOST_PAYLOAD) {
    const part = block.subarray(at, at + MOST_PAYLOAD);
    const isLast = at + part.length >= block.length;
    const flags = (isLast ? FLAG.endHeaders : 0) | (ends && at === 0 ? FLAG.endStream : 0);
    frames.push(writeFrame(at === 0 ? FRAME.headers : FRAME.continuation, flags, stream, part));
  }
  return Buffer.concat(frames);
}

/** A frame whose payload is one number of 32 bits. */
export function writeNumber(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value, 0);
  return writeFrame(type, 0, stream, payload);
}
