/** Most bytes of one packet: a longer payload goes on in the next one. */
const FULL = 0xff_ff_ff;
const HEADER = 4;

/** A payload of MySQL's protocol, which may have come in several packets. */
export interface MysqlPacket {
  readonly payload: Buffer;
  /** with the headers */
  readonly bytes: Buffer;
  /** number of the first packet in its exchange */
  readonly sequence: number;
}

/** Cuts one direction of a connection into payloads, wherever its bytes were cut. */
export class PacketReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** no payload is whole before there are so many bytes */
  #needed = HEADER;

  *read(chunk: Buffer): Generator<MysqlPacket> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      const packet = firstPacket(bytes);
      const isWhole = typeof packet !== "number";
      const rest = isWhole ? bytes.subarray(packet.bytes.length) : bytes;
      this.#chunks = [rest];
      this.#length = rest.length;
      this.#needed = isWhole ? HEADER : packet;
      if (isWhole) yield packet;
    }
  }
}

/** The first payload, or how many bytes it takes at least. */
function firstPacket(bytes: Buffer): MysqlPacket | number {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    if (bytes.length < at + HEADER) return at + HEADER;
    const length = bytes.readUIntLE(at, 3);
    const end = at + HEADER + length;
    if (bytes.length < end) return end;
    parts.push(bytes.subarray(at + HEADER, end));
    at = end;
    if (length === FULL) continue;
    const payload = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    return { payload, bytes: bytes.subarray(0, at), sequence: bytes[3] as number };
  }
}

/** The bytes of these payloads, one after another. `sequence`: number of the first packet */
export function packetsOf(payloads: readonly Buffer[], sequence: number): Buffer {
  const parts: Buffer[] = [];
  let next = sequence;
  for (const payload of payloads)
    for (let at = 0; at <= payload.length; at += FULL) {
      const part = payload.subarray(at, at + FULL);
      const header = Buffer.alloc(HEADER);
      header.writeUIntLE(part.length, 0, 3);
      header[3] = next++ % 256;
      parts.push(header, part);
    }
  return Buffer.concat(parts);
}

/** Number of the first packet that answers this request. */
export function sequenceAfter(request: Buffer): number {
  let count = 0;
  for (let at = 0; at + HEADER <= request.length; at += HEADER + request.readUIntLE(at, 3)) count++;
  return count;
}
