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
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<MysqlPacket> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const packet = firstPacket(this.#rest);
      if (packet === null) return;
      this.#rest = this.#rest.subarray(packet.bytes.length);
      yield packet;
    }
  }
}

function firstPacket(bytes: Buffer): MysqlPacket | null {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    if (bytes.length < at + HEADER) return null;
    const length = bytes.readUIntLE(at, 3);
    const end = at + HEADER + length;
    if (bytes.length < end) return null;
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
