import type { HeaderPairs } from "@reenact/envelope";
import { Dechunker } from "./http-dechunker.ts";
import { answerFraming, type Framing, readHead, readStatusLine, type StatusLine, type WireHead } from "./http-head.ts";

/** What an answer consists of, each to be delivered in a turn of its own. `last`: nothing follows. */
export type Piece =
  | {
      readonly kind: "head";
      readonly head: WireHead;
      readonly line: StatusLine;
      readonly framing: Framing;
      readonly wire: Buffer;
      readonly last: boolean;
    }
  /** 100, 102, 103 */
  | { readonly kind: "interim"; readonly status: number; readonly wire: Buffer }
  /** `wire`: as it came, where that is not told by the framing */
  | { readonly kind: "chunk"; readonly bytes: Buffer; readonly last: boolean; readonly wire?: Buffer }
  /** `wire`: the terminating chunk; null: the connection has ended, as announced. `fields`: trailers that are recorded */
  | {
      readonly kind: "end";
      readonly wire: Buffer | null;
      readonly trailers: boolean;
      readonly fields?: HeaderPairs;
    }
  /** no HTTP, or a protocol that both sides have switched to: handed on as it is */
  | { readonly kind: "raw"; readonly wire: Buffer };

const MAX_HEAD = 4 * 1024 * 1024;
const MAX_SKIPPED = 64;

/** Divides the bytes of one connection into the pieces of one answer. Never throws. */
export class AnswerReader {
  /** bytes have come that are none of this answer's: the connection cannot be used again */
  spoiled = false;
  done = false;
  readonly #method: string;
  readonly #chunks = new Dechunker();
  #start: Buffer = Buffer.alloc(0);
  #framing: Framing | null = null;
  #left = 0;
  #raw = false;

  constructor(method: string) {
    this.#method = method;
  }

  feed(bytes: Buffer): Piece[] {
    const pieces: Piece[] = [];
    if (this.done) this.spoiled = true;
    else if (this.#raw) pieces.push({ kind: "raw", wire: bytes });
    else if (this.#framing !== null) this.#body(bytes, pieces);
    else this.#head(bytes, pieces);
    return pieces;
  }

  /** The connection has ended: the last piece if that is how this answer ends; null if it was cut. */
  ended(): Piece | null {
    if (this.done || this.#framing?.by !== "close") return null;
    this.done = true;
    return { kind: "end", wire: null, trailers: false };
  }

  #head(bytes: Buffer, pieces: Piece[]): void {
    this.#start = this.#start.length === 0 ? bytes : Buffer.concat([this.#start, bytes]);
    const from = lineBreaksAhead(this.#start);
    const end = this.#start.indexOf("\r\n\r\n", from);
    if (end === -1) {
      if (this.#start.length > MAX_HEAD || !isStart(this.#start.subarray(from))) this.#giveUp(this.#start, pieces);
      return;
    }
    const wire = this.#start.subarray(0, end + 4);
    const rest = this.#start.subarray(end + 4);
    const head = readHead(this.#start.toString("latin1", from, end));
    const line = head === null ? null : readStatusLine(head.start);
    if (head === null || line === null) return this.#giveUp(this.#start, pieces);
    this.#start = Buffer.alloc(0);
    if (line.status >= 100 && line.status < 200 && line.status !== 101) {
      pieces.push({ kind: "interim", status: line.status, wire });
      if (rest.length > 0) this.#head(rest, pieces);
      return;
    }
    if (line.status === 101) {
      this.#giveUp(Buffer.concat([wire, rest]), pieces);
      return;
    }
    this.#take(head, line, wire, rest, pieces);
  }

  /** The head of the answer itself, and what has come of its body. */
  #take(head: WireHead, line: StatusLine, wire: Buffer, rest: Buffer, pieces: Piece[]): void {
    const framing = answerFraming(this.#method, line.status, head.headers);
    this.#framing = framing;
    this.#left = framing.by === "length" ? framing.length : 0;
    this.done = framing.by === "nothing" || (framing.by === "length" && framing.length === 0);
    pieces.push({ kind: "head", head, line, framing, wire, last: this.done });
    if (this.done) this.spoiled = rest.length > 0;
    else if (rest.length > 0) this.#body(rest, pieces);
  }

  #body(bytes: Buffer, pieces: Piece[]): void {
    if (this.#framing?.by === "chunks") return this.#chunked(bytes, pieces);
    if (this.#framing?.by === "close") {
      pieces.push({ kind: "chunk", bytes, last: false });
      return;
    }
    const run = bytes.subarray(0, this.#left);
    this.#left -= run.length;
    this.done = this.#left === 0;
    if (run.length < bytes.length) this.spoiled = true;
    pieces.push({ kind: "chunk", bytes: run, last: this.done });
  }

  #chunked(bytes: Buffer, pieces: Piece[]): void {
    let used = 0;
    try {
      used = this.#chunks.feed(bytes, (run) => pieces.push({ kind: "chunk", bytes: run, last: false }));
    } catch {
      // the client's own parser reports the error, in its own words
      this.#giveUp(Buffer.from("?\r\n"), pieces);
      return;
    }
    if (!this.#chunks.done) return;
    this.done = true;
    this.spoiled = used < bytes.length;
    pieces.push({ kind: "end", wire: this.#chunks.tail, trailers: this.#chunks.hasTrailers });
  }

  #giveUp(wire: Buffer, pieces: Piece[]): void {
    this.#raw = true;
    this.spoiled = true;
    pieces.push({ kind: "raw", wire });
  }
}

/** Line breaks before a status line are skipped. */
function lineBreaksAhead(bytes: Buffer): number {
  const found = bytes.subarray(0, MAX_SKIPPED).findIndex((byte) => byte !== 13 && byte !== 10);
  return found === -1 ? Math.min(bytes.length, MAX_SKIPPED) : found;
}

function isStart(bytes: Buffer): boolean {
  const begin = bytes.toString("latin1", 0, 7);
  return "HTTP/1.".startsWith(begin);
}
