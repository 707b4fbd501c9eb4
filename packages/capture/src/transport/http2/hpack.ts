import type { HeaderPairs } from "@reenact/envelope";
import { decodeHuffman } from "./hpack-huffman.ts";

type Field = [name: string, value: string];

/** RFC 7541, appendix A, from index 1 on; a name without a value has the empty one. */
const STATIC: readonly Field[] = [
  ":authority",
  ":method GET",
  ":method POST",
  ":path /",
  ":path /index.html",
  ":scheme http",
  ":scheme https",
  ...["200", "204", "206", "304", "400", "404", "500"].map((status) => `:status ${status}`),
  "accept-charset",
  "accept-encoding gzip, deflate",
  ..."accept-language accept-ranges accept access-control-allow-origin age allow authorization".split(" "),
  ..."cache-control content-disposition content-encoding content-language content-length".split(" "),
  ..."content-location content-range content-type cookie date etag expect expires from host".split(" "),
  ..."if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link".split(" "),
  ..."location max-forwards proxy-authenticate proxy-authorization range referer refresh".split(" "),
  ..."retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via".split(" "),
  "www-authenticate",
].map((entry): Field => {
  const at = entry.indexOf(" ");
  return at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
});

/** What an entry of the dynamic table counts beside its texts. */
const OVERHEAD = 32;
/** A peer may not use more before it was told that it may; more than this is never kept. */
const MOST_TABLE = 1024 * 1024;

/** Reads the header blocks of one direction of a connection, all of them and in their order. `read` throws where one is wrong. */
export class HpackDecoder {
  readonly #dynamic: Field[] = [];
  #size = 0;
  #capacity = 4096;

  read(block: Uint8Array): HeaderPairs {
    const cursor = new Cursor(block);
    const fields: Field[] = [];
    while (!cursor.atEnd) {
      const first = cursor.peek();
      if (first >= 0x80) fields.push([...this.#field(cursor.integer(7))]);
      else if (first >= 0x40) fields.push(this.#add(this.#literal(cursor, 6)));
      else if (first >= 0x20) this.#resize(cursor.integer(5));
      else fields.push(this.#literal(cursor, 4));
    }
    return fields;
  }

  #literal(cursor: Cursor, prefix: number): Field {
    const index = cursor.integer(prefix);
    const name = index === 0 ? cursor.text() : this.#field(index)[0];
    return [name, cursor.text()];
  }

  #field(index: number): Field {
    const field = index <= STATIC.length ? STATIC[index - 1] : this.#dynamic[index - STATIC.length - 1];
    if (field === undefined) throw new Error(`no header field has the index ${index}`);
    return field;
  }

  #add(field: Field): Field {
    this.#dynamic.unshift([...field]);
    this.#size += sizeOf(field);
    this.#evict();
    return field;
  }

  #resize(capacity: number): void {
    if (capacity > MOST_TABLE) throw new Error(`a header table of ${capacity} bytes`);
    this.#capacity = capacity;
    this.#evict();
  }

  #evict(): void {
    while (this.#size > this.#capacity) this.#size -= sizeOf(this.#dynamic.pop() as Field);
  }
}

function sizeOf([name, value]: Field): number {
  return name.length + value.length + OVERHEAD;
}

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error("a header block ends too early");
    return byte;
  }

  /** An integer that begins in the low `prefix` bits of the next byte. */
  integer(prefix: number): number {
    const most = 2 ** prefix - 1;
    let value = this.#next() & most;
    if (value < most) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#next();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 28) throw new Error("an integer of a header block is too large");
    }
  }

  text(): string {
    const isCoded = this.peek() >= 0x80;
    const length = this.integer(7);
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new Error("a header block ends too early");
    this.#at += length;
    return isCoded ? decodeHuffman(bytes) : Buffer.from(bytes).toString("latin1");
  }

  #next(): number {
    const byte = this.peek();
    this.#at++;
    return byte;
  }
}

/** A header block that needs no table: every field is written out, and is to be kept out of tables. */
export function writeHeaderBlock(fields: HeaderPairs): Buffer {
  const out: Buffer[] = [];
  for (const pair of fields)
    for (const [at, text] of pair.entries()) {
      const bytes = Buffer.from(at === 0 ? text.toLowerCase() : text, "latin1");
      out.push(Buffer.from([...(at === 0 ? [0x00] : []), ...writeInteger(bytes.length)]), bytes);
    }
  return Buffer.concat(out);
}

function writeInteger(value: number): number[] {
  if (value < 127) return [value];
  const out = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  out.push(rest);
  return out;
}
