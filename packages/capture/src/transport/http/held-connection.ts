import type net from "node:net";
import { originals } from "../../patch/originals.ts";
import { live } from "../../run/context.ts";
import type { DecidedAnswer } from "../../source/answer.ts";
import type { Piece } from "./http-answer.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { framingOf, type WireHead, writeHead } from "./http-head.ts";
import { type AnsweredExchange, type Connect, LiveConnection } from "./http-live.ts";
import type { HttpSource } from "./http-source.ts";
import { ServedAnswer } from "./served-answer.ts";

/** Turns of the event loop. */
const MOST_TURNS = 16;
const LONGER = "a request whose body is longer than its head tells cannot be sent in a replay";

interface Found {
  readonly connect: Connect;
  /** the agent is known not to rewrite a request while it connects */
  readonly isPlain: boolean;
}

/**
 * A request that the program writes before it is decided who answers it. Its connection stands at once, a wait for a 100 is over at once, and
 * nothing of it leaves the process until it is whole, and decided.
 */
export class HeldConnection implements HttpSource {
  readonly #to: HttpExchange;
  readonly #found: Found;
  readonly #written: Buffer[] = [];
  #source: HttpSource | null = null;
  #isSent = false;
  #isStopped = false;
  /** the program has got a 100, which the server has not sent */
  #hasContinued = false;

  constructor(to: HttpExchange, found: Found) {
    this.#to = to;
    this.#found = found;
  }

  get real(): net.Socket | null {
    return this.#source?.real ?? null;
  }

  start(): boolean {
    this.#to.connected();
    return true;
  }

  send(bytes: Buffer): void {
    if (this.#source === null) this.#written.push(bytes);
    else if (this.#isSent) this.#to.fail(new Error(LONGER));
    else this.#source.send(bytes);
  }

  expects(): void {
    this.#hasContinued = true;
    this.#to.arrived({ kind: "interim", status: 100, wire: Buffer.from("HTTP/1.1 100 Continue\r\n\r\n") });
  }

  /** The request is whole. `head`: as it was written. */
  decided(answer: DecidedAnswer, head: WireHead | null): void {
    const written = Buffer.concat(this.#written.splice(0));
    if (this.#isStopped) return;
    if (answer.from === "live") {
      if (head !== null && isLonger(written, head)) return this.#to.fail(new Error(LONGER));
      return this.#send(head === null ? written : sentBytes(answer, head, written));
    }
    this.#whenEnded(() => {
      if (answer.from === "miss") this.#to.fail(answer.error);
      else this.#serve(new ServedAnswer(this.#stood(), answer.exchange, answer.body()));
    });
  }

  /** Over a network no answer comes before the program has ended a request of which it has just written the last byte. */
  #whenEnded(serve: () => void, turns = MOST_TURNS): void {
    if (this.#isStopped) return;
    if (this.#to.request.writableEnded || turns === 0) return serve();
    live(() => originals.setImmediate(() => this.#whenEnded(serve, turns - 1)));
  }

  delivered(): void {
    this.#source?.delivered();
  }

  enough(): void {
    this.#source?.enough();
  }

  wanted(): void {
    this.#source?.wanted();
  }

  free(): void {
    this.#isStopped = true;
    this.#source?.free();
  }

  stop(): void {
    this.#isStopped = true;
    this.#source?.stop();
  }

  drain(done: () => void): boolean {
    return this.#source?.drain(done) ?? false;
  }

  #serve(source: HttpSource): void {
    this.#source = source;
    source.start();
  }

  #send(bytes: Buffer): void {
    const { isPlain, connect } = this.#found;
    const { request } = this.#to;
    // a proxy for plain HTTP is told of in the head, which is written already
    if (!isPlain && request.protocol === "http:")
      return this.#to.fail(new Error("a request over an agent of its own kind cannot be sent in a replay"));
    const source = new LiveConnection(this.#stood(), connect, isPlain);
    this.#source = source;
    this.#isSent = true;
    source.send(bytes);
    try {
      source.start();
    } catch (error) {
      this.#to.fail(error as Error);
    }
  }

  /** The exchange for a source that comes when the connection stands already. */
  #stood(): AnsweredExchange {
    const to = this.#to;
    return {
      step: to.step,
      draft: to.draft,
      request: to.request,
      attach: () => {},
      connected: (told) => told?.(),
      arrived: (piece, at) => {
        if (!this.#isTold(piece)) to.arrived(piece, at);
      },
      cut: () => to.cut(),
      fail: (error) => to.fail(error),
      keep: (bytes) => to.keep(bytes),
    };
  }

  #isTold(piece: Piece): boolean {
    return piece.kind === "interim" && piece.status === 100 && this.#hasContinued;
  }
}

/** Whether a server would take a part of what was written for another request, which nobody has decided on. */
function isLonger(written: Buffer, { headers }: WireHead): boolean {
  const framing = framingOf(headers, "nothing");
  const length = written.length - (written.indexOf("\r\n\r\n") + 4);
  return framing.by !== "chunks" && length > (framing.by === "length" ? framing.length : 0);
}

/** What goes out: what the program has written, or with another body, or to another path. */
function sentBytes(answer: DecidedAnswer & { from: "live" }, head: WireHead, written: Buffer): Buffer {
  const { body, url } = answer;
  if (body === undefined && url === undefined) return written;
  const [method = "", target = "", version = ""] = head.start.split(" ");
  const to = url === undefined ? target : pathOf(new URL(url));
  const sent = Buffer.from(body ?? "");
  const kept = head.headers.filter(([name]) => !/^(?:content-length|transfer-encoding|trailer)$/i.test(name));
  const headers: WireHead["headers"] = [...kept, ["Content-Length", String(sent.length)]];
  return Buffer.concat([writeHead({ start: `${method} ${to} ${version}`, headers }), sent]);
}

const pathOf = ({ pathname, search }: URL): string => pathname + search;
