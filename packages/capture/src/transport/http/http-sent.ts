import { Dechunker } from "./http-dechunker.ts";
import { type Framing, framingOf, header, readHead, type WireHead } from "./http-head.ts";

/** Reads back what Node has written of one request. It only watches: what it cannot read goes out all the same. */
export class SentMessage {
  head: WireHead | null = null;
  whole = false;
  readonly #parts: Buffer[] = [];
  readonly #chunks = new Dechunker();
  #start = Buffer.alloc(0);
  #framing: Framing = { by: "nothing" };
  #left = 0;

  get body(): Buffer | null {
    return this.#framing.by === "nothing" && this.#parts.length === 0 ? null : Buffer.concat(this.#parts);
  }

  get expectsContinue(): boolean {
    return this.head !== null && /^100-continue$/i.test(header(this.head.headers, "expect") ?? "");
  }

  /** Returns true at the write that makes the request whole. */
  feed(bytes: Buffer): boolean {
    if (this.whole) return false;
    if (this.head !== null) return this.#body(bytes);
    this.#start = Buffer.concat([this.#start, bytes]);
    const end = this.#start.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const rest = this.#start.subarray(end + 4);
    this.head = readHead(this.#start.toString("latin1", 0, end)) ?? { start: "", headers: [] };
    this.#framing = framingOf(this.head.headers, "nothing");
    if (this.#framing.by === "length") this.#left = this.#framing.length;
    return this.#body(rest);
  }

  #body(bytes: Buffer): boolean {
    if (this.#framing.by === "chunks") {
      this.#chunks.feed(bytes, (run) => this.#parts.push(Buffer.from(run)));
      this.whole = this.#chunks.done;
      return this.whole;
    }
    if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
    this.#left -= bytes.length;
    this.whole = this.#left <= 0;
    return this.whole;
  }
}
