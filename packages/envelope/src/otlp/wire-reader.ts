import { EnvelopeError } from "../envelope-error.ts";
import type { KnownTexts } from "./known-texts.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export const badOtlp = (why: string, offset: number) =>
  new EnvelopeError("BAD_OTLP", "OTLP message", `${why} at byte ${offset}`, { offset });

/** Reads one protobuf message. Offsets in errors count from the start of `bytes`. Everything it returns is a view. */
export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  private readonly known: KnownTexts | null;
  private lazyView: DataView | null = null;
  private wire = 0;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length, known: KnownTexts | null = null) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.known = known;
  }

  /** Few messages have a number of fixed length, and there are many messages. */
  private get view(): DataView {
    return (this.lazyView ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength));
  }

  /** Number of the next field, or 0 at the end of the message. */
  field(): number {
    if (this.at >= this.end) return 0;
    const start = this.at;
    const tag = this.size();
    if (tag < 8 || tag > 0xffffffff) throw badOtlp("bad tag", start);
    this.wire = tag & 7;
    return tag >>> 3;
  }

  /** A number below 2⁵³: tags and lengths. */
  private size(): number {
    const start = this.at;
    let value = 0;
    let unit = 1;
    while (this.at < this.end) {
      const byte = this.bytes[this.at++]!;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
      if (unit > 2 ** 46) throw badOtlp("number too long", start);
    }
    throw badOtlp("number cut short", start);
  }

  varint(): bigint {
    let value = 0n;
    const start = this.at;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.at >= this.end) throw badOtlp("number cut short", start);
      const byte = this.bytes[this.at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw badOtlp("number too long", start);
  }

  uint(): number {
    this.expect(0);
    return Number(BigInt.asUintN(32, this.varint()));
  }

  int64(): bigint {
    this.expect(0);
    return BigInt.asIntN(64, this.varint());
  }

  fixed64(): bigint {
    return this.view.getBigUint64(this.take(1, 8), true);
  }

  fixed32(): number {
    return this.view.getUint32(this.take(5, 4), true);
  }

  double(): number {
    return this.view.getFloat64(this.take(1, 8), true);
  }

  /** Content of a length-delimited field, as a view. */
  chunk(): Uint8Array {
    const from = this.content();
    return this.bytes.subarray(from, this.at);
  }

  message(): WireReader {
    const from = this.content();
    return new WireReader(this.bytes, from, this.at, this.known);
  }

  /** Goes behind a length-delimited field; returns where its content begins. */
  private content(): number {
    const start = this.at;
    this.expect(2);
    const length = this.size();
    if (length > this.end - this.at) throw badOtlp("field past the end of its message", start);
    const from = this.at;
    this.at += length;
    return from;
  }

  /** UTF-8; what is no UTF-8 becomes U+FFFD. Longer than `longest` bytes: cut before the character at that byte. */
  string(longest = Number.MAX_SAFE_INTEGER): string {
    const from = this.content();
    let end = this.at;
    if (end - from > longest) {
      end = from + longest;
      while (end > from + longest - 4 && end > from && (this.bytes[end]! & 0xc0) === 0x80) end--;
    }
    return this.known?.text(this.bytes, from, end) ?? utf8.decode(this.bytes.subarray(from, end));
  }

  skip(): void {
    if (this.wire === 0) this.varint();
    else if (this.wire === 1) this.take(1, 8);
    else if (this.wire === 2) this.content();
    else if (this.wire === 5) this.take(5, 4);
    else throw badOtlp("unknown wire type", this.at);
  }

  private take(wire: number, size: number): number {
    this.expect(wire);
    if (this.end - this.at < size) throw badOtlp("field past the end of its message", this.at);
    this.at += size;
    return this.at - size;
  }

  private expect(wire: number): void {
    if (this.wire !== wire) throw badOtlp("field of another type", this.at);
  }
}
