const utf8 = new TextEncoder();

/** Writes one protobuf message. Default values are written too: the caller decides what to leave out. */
export class WireWriter {
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.size;
  }

  varint(field: number, value: bigint | number): this {
    return this.tag(field, 0).raw(varint(BigInt.asUintN(64, BigInt(value))));
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
    return this.tag(field, 2)
      .raw(varint(BigInt(value.length)))
      .raw(value);
  }

  /** UTF-8; a lone surrogate becomes U+FFFD. */
  string(field: number, value: string): this {
    return this.bytes(field, utf8.encode(value));
  }

  raw(bytes: Uint8Array): this {
    this.parts.push(bytes);
    this.size += bytes.length;
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  private tag(field: number, wire: number): this {
    return this.raw(varint(BigInt(field * 8 + wire)));
  }
}

function varint(value: bigint): Uint8Array {
  if (value < 128n) return Uint8Array.of(Number(value));
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
