import type { RecordedExchange } from "@reenact/envelope";
import { servedError } from "../../source/served-value.ts";
import type { RecordedChunk } from "../../source/answer.ts";
import { LAST_CHUNK } from "./http-dechunker.ts";
import { answerFraming, type Framing, type WireHead, writeHead } from "./http-head.ts";
import type { AnsweredExchange } from "./http-live.ts";
import type { HttpSource } from "./http-source.ts";

/** A record. Each piece is owed as soon as the one before it has been delivered; the gate says when. No socket exists. */
export class ServedAnswer implements HttpSource {
  readonly real = null;
  readonly #to: AnsweredExchange;
  readonly #exchange: RecordedExchange;
  readonly #chunks: readonly RecordedChunk[];
  readonly #owed: (() => void)[] = [];

  constructor(to: AnsweredExchange, exchange: RecordedExchange, chunks: readonly RecordedChunk[]) {
    this.#to = to;
    this.#exchange = exchange;
    this.#chunks = chunks;
  }

  start(): boolean {
    this.#plan();
    this.#to.connected();
    // a connection that was refused never stood: its error does not wait for that
    this.delivered();
    return true;
  }

  #plan(): void {
    const { response, error, end } = this.#exchange;
    const to = this.#to;
    if (response === undefined) {
      // neither: it never arrived
      if (error !== undefined) this.#owed.push(() => this.#failed(error));
      return;
    }
    const length = this.#chunks.reduce((sum, c) => sum + c.bytes.length, 0);
    const framing = answerFraming(to.draft.method, response.status, response.headers);
    const complete = end === "complete";
    const head: WireHead = { start: `HTTP/1.1 ${response.status} ${response.reason}`, headers: response.headers };
    const wire = writeHead(fitted(head, framing, length, complete));
    const chunks = framing.by === "nothing" ? [] : this.#chunks;
    const ends = complete && framing.by === "length";
    const last = framing.by === "nothing" || (ends && length === 0);
    this.#owed.push(() => to.arrived({ kind: "head", head, line: response, framing, wire, last }));
    chunks.forEach(({ bytes, at }, n) => {
      this.#owed.push(() =>
        to.arrived({ kind: "chunk", bytes: Buffer.from(bytes), last: ends && n === chunks.length - 1 }, at),
      );
    });
    if (last || ends) return;
    if (end === "error" && error !== undefined) this.#owed.push(() => this.#failed(error));
    // cancelled, open, aborted: the recorded agent never got further; the gate reports one that waits here
    else
      this.#owed.push(() =>
        to.arrived({ kind: "end", wire: framing.by === "chunks" ? LAST_CHUNK : null, trailers: false }),
      );
  }

  delivered(): void {
    this.#owed.shift()?.();
  }

  send(): void {}

  expects(): void {
    this.#to.arrived({ kind: "interim", status: 100, wire: Buffer.from("HTTP/1.1 100 Continue\r\n\r\n") });
  }

  enough(): void {}
  wanted(): void {}
  free(): void {}
  stop(): void {}

  drain(): boolean {
    return false;
  }

  #failed(error: NonNullable<RecordedExchange["error"]>): void {
    const cut = error.code === "ECONNRESET" && (error.message === "aborted" || error.message === "socket hang up");
    if (cut) this.#to.cut();
    else this.#to.fail(servedError(error) as Error);
  }
}

/** A body whose text was redacted may have another length than its header says. */
function fitted(head: WireHead, framing: Framing, length: number, complete: boolean): WireHead {
  if (framing.by !== "length") return head;
  if (complete ? length === framing.length : length < framing.length) return head;
  const right = String(complete ? length : length + 1);
  return {
    ...head,
    headers: head.headers.map(([name, value]) => [name, name.toLowerCase() === "content-length" ? right : value]),
  };
}
