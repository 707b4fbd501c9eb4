/** One frame of RFC 6455. */
export interface Frame {
  readonly isFinal: boolean;
  readonly opcode: number;
  /** not masked any more */
  readonly payload: Buffer;
  /** as it came */
  readonly bytes: Buffer;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const KNOWN = new Set<number>(Object.values(OPCODE));

/** Cuts one direction of a connection into frames. Throws where the bytes are none; `rest` has them. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** bytes up to which the next frame is not whole */
  #wanted = 2;

  /** what was read and is no whole frame */
  get rest(): Buffer {
    const rest = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [rest];
    return rest;
  }

  *read(chunk: Buffer): Generator<Frame, void> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) {
      const { rest } = this;
      const size = sizeOf(rest);
      this.#wanted = size.total;
      if (!size.isKnown || rest.length < size.total) continue;
      const bytes = rest.subarray(0, size.total);
      const frame = frameOf(bytes, size.head);
      this.#chunks = [rest.subarray(size.total)];
      this.#length -= size.total;
      this.#wanted = 2;
      yield frame;
    }
  }
}

interface Size {
  /** false: `total` is as many bytes as are needed to know more */
  readonly isKnown: boolean;
  readonly total: number;
  /** where the payload begins */
  readonly head: number;
}

function sizeOf(bytes: Buffer): Size {
  const second = bytes[1] ?? 0;
  const short = second & 0x7f;
  const head = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + (second & 0x80 ? 4 : 0);
  if (bytes.length < head) return { isKnown: false, total: head, head };
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  return { isKnown: true, total: head + length, head };
}

function frameOf(bytes: Buffer, head: number): Frame {
  const [first = 0, second = 0] = bytes;
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  if ((first & 0x70) !== 0 || !KNOWN.has(opcode)) throw new Error("no frame of a WebSocket");
  if (opcode > 7 && (!isFinal || bytes.length - head > 125)) throw new Error("no control frame");
  const payload = Buffer.from(bytes.subarray(head));
  if (second & 0x80) for (let i = 0; i < payload.length; i++) payload[i]! ^= bytes[head - 4 + (i & 3)] ?? 0;
  return { isFinal, opcode, payload, bytes };
}

/** A frame of a server, not masked. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
