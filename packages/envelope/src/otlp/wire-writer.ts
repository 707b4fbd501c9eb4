/** Writes one protobuf message. Default values are written too: the caller decides what to leave out. */
export class WireWriter {
  /** texts are encoded where they come to lie */
  private readonly parts: (Uint8Array | string)[] = [];
  private size = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.size;
  }

  varint(field: number, value: bigint | number): this {
    return this.tag(field, 0).raw(
      typeof value === "number" && value >= 0 && value <= SMALL
        ? varint(value)
        : longVarint(BigInt.asUintN(64, BigInt(value))),
    );
  }

  fixed64(field: number, value: bigint): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
    return this.tag(field, 1).raw(bytes);
  }

  fixed32(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    return this.tag(field, 5).raw(bytes);
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.tag(field, 1).raw(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.tag(field, 2).raw(varint(value.length)).raw(value);
  }

  /** UTF-8; a lone surrogate becomes U+FFFD. */
  string(field: number, value: string): this {
    const length = Buffer.byteLength(value);
    this.tag(field, 2).raw(varint(length));
    this.parts.push(value);
    this.size += length;
    return this;
  }

  /** An inner message: its parts are taken over, not copied. It must not be written to afterwards. */
  message(field: number, inner: WireWriter): this {
    this.tag(field, 2).raw(varint(inner.size));
    for (const part of inner.parts) this.parts.push(part);
    this.size += inner.size;
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.parts.push(bytes);
    this.size += bytes.length;
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.size);
    const text = Buffer.from(out.buffer);
    let at = 0;
    for (const part of this.parts) {
      if (typeof part === "string") at += text.write(part, at);
      else {
        out.set(part, at);
        at += part.length;
      }
    }
    return out;
  }

  private tag(field: number, wire: number): this {
    return this.raw(varint(field * 8 + wire));
  }
}

const SMALL = 0x7fff_ffff;
const ONE_BYTE = Array.from({ length: 128 }, (_, value) => Uint8Array.of(value));

/** Of a whole number from 0 to `SMALL`. */
function varint(value: number): Uint8Array {
  if (value < 128) return ONE_BYTE[value] as Uint8Array;
  const bytes = new Uint8Array(value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5);
  let rest = value;
  for (let at = 0; at < bytes.length; at++, rest >>>= 7) bytes[at] = (rest & 127) | (at < bytes.length - 1 ? 128 : 0);
  return bytes;
}

function longVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
