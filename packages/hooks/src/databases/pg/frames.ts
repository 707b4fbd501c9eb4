/** A message of PostgreSQL's protocol: its type, and what follows the length. */
export interface PgFrame {
  readonly type: string;
  readonly body: Buffer;
  /** with type and length */
  readonly bytes: Buffer;
}

/** The first whole message of these bytes; null: it is not whole. Throws where there can be none. */
export function readFrame(bytes: Buffer, offset: number): PgFrame | null {
  if (bytes.length < offset + 5) return null;
  const length = bytes.readUInt32BE(offset + 1);
  if (length < 4 || length > 0x40000000) throw new RangeError(`a message of ${length} bytes`);
  const end = offset + 1 + length;
  if (bytes.length < end) return null;
  return {
    type: String.fromCharCode(bytes[offset] as number),
    body: bytes.subarray(offset + 5, end),
    bytes: bytes.subarray(offset, end),
  };
}

export function frameOf(type: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(body.length + 5);
  bytes.write(type, 0, "latin1");
  bytes.writeUInt32BE(body.length + 4, 1);
  body.copy(bytes, 5);
  return bytes;
}

/** Reads the parts of a message's body, one after another. Throws where it ends before. */
export class BodyReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#body.length;
  }

  byte(): number {
    const value = this.#body.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  int16(): number {
    const value = this.#body.readInt16BE(this.#at);
    this.#at += 2;
    return value;
  }

  int32(): number {
    const value = this.#body.readInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  uint32(): number {
    return this.int32() >>> 0;
  }

  /** up to a zero byte */
  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end === -1) throw new RangeError("a text without an end");
    const value = this.#body.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return value;
  }

  bytes(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#body.length) throw new RangeError(`${length} bytes past the end`);
    const value = this.#body.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  rest(): Buffer {
    return this.bytes(this.#body.length - this.#at);
  }

  /** so many values, each made by `read`, which is given its number */
  list<T>(count: number, read: (n: number) => T): T[] {
    return Array.from({ length: count }, (_, n) => read(n));
  }
}

/** Writes the parts of a message's body, one after another. */
export class BodyWriter {
  readonly #parts: Buffer[] = [];

  byte(value: number): this {
    return this.raw(Buffer.from([value]));
  }

  int16(value: number): this {
    const part = Buffer.allocUnsafe(2);
    part.writeInt16BE(value);
    return this.raw(part);
  }

  /** signed or unsigned */
  int32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeInt32BE(value | 0);
    return this.raw(part);
  }

  /** with a zero byte at its end */
  text(value: string): this {
    return this.raw(Buffer.from(`${value}\0`, "utf8"));
  }

  raw(part: Uint8Array | string): this {
    this.#parts.push(typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part));
    return this;
  }

  body(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
