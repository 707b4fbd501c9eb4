/** Reads the parts of a payload, one after another. Throws where it ends before. */
export class PayloadReader {
  readonly #payload: Buffer;
  #at = 0;

  constructor(payload: Buffer) {
    this.#payload = payload;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#payload.length;
  }

  get left(): number {
    return this.#payload.length - this.#at;
  }

  /** unsigned, of 1 to 6 bytes */
  uint(bytes: number): number {
    const value = this.#payload.readUIntLE(this.#at, bytes);
    this.#at += bytes;
    return value;
  }

  peek(): number {
    return this.#payload.readUInt8(this.#at);
  }

  /** a number with its length before it; beyond the safe integers a bigint */
  length(): number | bigint {
    const first = this.uint(1);
    if (first < 0xfb) return first;
    if (first === 0xfc) return this.uint(2);
    if (first === 0xfd) return this.uint(3);
    if (first !== 0xfe) throw new RangeError(`${first} begins no number`);
    const value = this.bytes(8).readBigUInt64LE(0);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  }

  /** bytes with their length before them */
  counted(): Buffer {
    return this.bytes(Number(this.length()));
  }

  /** up to a zero byte, or the end */
  terminated(): Buffer {
    const found = this.#payload.indexOf(0, this.#at);
    const end = found === -1 ? this.#payload.length : found;
    const value = this.#payload.subarray(this.#at, end);
    this.#at = Math.min(end + 1, this.#payload.length);
    return value;
  }

  bytes(count: number): Buffer {
    if (count < 0 || count > this.left) throw new RangeError(`${count} bytes past the end`);
    const value = this.#payload.subarray(this.#at, this.#at + count);
    this.#at += count;
    return value;
  }

  rest(): Buffer {
    return this.bytes(this.left);
  }
}

/** Writes the parts of a payload, one after another. */
export class PayloadWriter {
  readonly #parts: Buffer[] = [];

  /** unsigned, of 1 to 6 bytes */
  uint(value: number, bytes: number): this {
    const part = Buffer.allocUnsafe(bytes);
    part.writeUIntLE(value, 0, bytes);
    return this.raw(part);
  }

  length(value: number | bigint): this {
    if (value < 0xfb) return this.uint(Number(value), 1);
    if (value <= 0xff_ff) return this.uint(0xfc, 1).uint(Number(value), 2);
    if (value <= 0xff_ff_ff) return this.uint(0xfd, 1).uint(Number(value), 3);
    const part = Buffer.allocUnsafe(8);
    part.writeBigUInt64LE(BigInt(value));
    return this.uint(0xfe, 1).raw(part);
  }

  counted(part: Uint8Array | string): this {
    const bytes = typeof part === "string" ? Buffer.from(part, "utf8") : part;
    return this.length(bytes.length).raw(bytes);
  }

  raw(part: Uint8Array | string): this {
    this.#parts.push(typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part));
    return this;
  }

  payload(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
