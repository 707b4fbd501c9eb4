import type { HeaderPairs } from "@reenact/envelope";
import { AsyncLocalStorage } from "node:async_hooks";
import { type ExternalEvents, openExternalEvents } from "../../ambient/external-events.ts";
import { guarded } from "../../fault/faults.ts";
import { originals } from "../../patch/originals.ts";
import { live, type RunFrame } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { FLAG, FRAME, type Frame, FrameReader } from "./frames.ts";
import { HpackDecoder } from "./hpack.ts";
import type { ExchangeConnection, Http2Exchange } from "./http2-exchange.ts";
import type { Http2Source } from "./http2-source.ts";
import type { MakeSessionSocket, SessionSocket } from "./session-socket.ts";

/** Something that comes over a connection: a frame, or its end. */
type Arrival = Frame | { readonly failed: Error | null; readonly wire: Buffer | null };

interface ConnectionParts {
  /** the code that connects; null: outside of every run */
  readonly frame: RunFrame | null;
  readonly secure: boolean;
  readonly server: { readonly host: string; readonly port: number };
  readonly makeSocket: MakeSessionSocket;
  readonly sourceFor: (connection: Http2Connection) => Http2Source;
}

/** The error of an exchange whose connection the server has closed. */
export const CLOSED = "the connection was closed by the server";

/**
 * A connection of an HTTP/2 session. Node's own session works over a socket of ours, in record and in replay. What comes from the
 * server is handed to it frame by frame, in the order of the connection: a frame of an exchange waits for its turn in the run
 * of that exchange, and what is behind it waits for it.
 */
export class Http2Connection implements ExchangeConnection {
  readonly socket: SessionSocket;
  readonly source: Http2Source;
  readonly #events: ExternalEvents | null;
  readonly #inAgent = AsyncLocalStorage.snapshot();
  readonly #written = new FrameReader("client");
  readonly #fields = new HpackDecoder();
  /** requests whose stream has no number yet */
  readonly #unsent = new Set<Http2Exchange>();
  readonly #exchanges = new Map<number, Http2Exchange>();
  readonly #queue: Arrival[] = [];
  /** what was offered last and not delivered yet, and whose it is; null: an event of the connection */
  #waiting: { readonly by: Http2Exchange | null; readonly wire: Buffer } | null = null;
  #unreadable = false;
  /** closes the session's socket; set while that waits for its recorded place */
  #closed: (() => void) | null = null;
  /** in a replay: that place has come before the session let go of its socket */
  #mayClose = false;
  referenced = true;
  /** in a replay: makes the session say that it has timed out */
  expire: (() => void) | null = null;

  constructor({ frame, secure, server, makeSocket, sourceFor }: ConnectionParts) {
    this.#events =
      frame === null
        ? null
        : openExternalEvents(frame, "HTTP2", {
            referenced: () => this.referenced && this.isTold,
            replayed: (detail) => this.#replayed(detail),
          });
    this.socket = makeSocket({
      secure,
      server,
      real: () => this.source.real,
      sent: (bytes) => this.#sent(bytes),
      ended: () => live(() => this.source.end()),
      destroyed: (closed) => this.#destroyed(closed),
      referenced: (yes) => {
        this.referenced = yes;
        this.source.real?.[yes ? "ref" : "unref"]?.();
      },
    });
    this.source = sourceFor(this);
  }

  /** In a replay: whether the record tells what happens to this connection next. */
  get isTold(): boolean {
    return this.#events?.isAhead === true;
  }

  /** Begins to follow a request that the session has taken. */
  open(exchange: Http2Exchange): void {
    this.#unsent.add(exchange);
    live(() => this.source.opened(exchange));
  }

  /** The connection stands, in a turn of its own. */
  connected(): void {
    this.#came("connect", () => this.socket.connected());
  }

  /** A frame of the server's has come. */
  arrived(frame: Frame): void {
    this.#queue.push(frame);
    this.#next();
  }

  /** The connection has failed; null: the server has ended it. `wire`: bytes at which the session fails by itself. */
  failed(error: Error | null, wire: Buffer | null = null): void {
    this.#queue.push({ failed: error, wire });
    this.#next();
  }

  /** Bytes that cannot be divided into frames: they go on as they are, behind what waits. */
  pass(bytes: Buffer): void {
    this.#queue.push({ type: -1, flags: 0, stream: -1, payload: bytes, wire: bytes });
    this.#next();
  }

  supply(exchange: Http2Exchange, wire: Buffer): void {
    if (this.#waiting?.by === exchange) this.#waiting = null;
    this.socket.supply(wire);
  }

  delivered(exchange: Http2Exchange): void {
    if (this.#waiting?.by === exchange) this.#waiting = null;
    this.source.delivered(exchange);
    this.#forget(exchange);
    if (exchange.over) this.#pause();
    else this.#next();
  }

  left(exchange: Http2Exchange): void {
    this.#forget(exchange);
    const waiting = this.#waiting;
    if (waiting?.by !== exchange) return;
    // not here: the session may be reading what came before it
    this.#later(() => {
      if (this.#waiting !== waiting) return;
      this.#waiting = null;
      this.socket.supply(waiting.wire);
      this.#next();
    });
  }

  breakOff(error: Error, wire: Buffer | null): void {
    this.#waiting = null;
    for (const other of this.#all()) other.dies(error);
    this.#break(error, wire);
  }

  /** The real time-out of the session is over. What is being sent may prolong it: then it is none. */
  timedOut(real: () => void): void {
    if (this.#all().some(({ isSending }) => isSending)) real();
    else this.#came("timeout", real);
  }

  /** What a recorded server sends besides answers, in a turn of its own. */
  later(wire: Buffer): void {
    this.#later(() => this.socket.supply(wire));
  }

  /** The recorded connection stands. */
  connectLater(): void {
    this.#later(() => {
      if (!this.isTold) this.socket.connected();
    });
  }

  /** The recorded server has ended the connection. */
  endLater(): void {
    this.#later(() => this.socket.supplyEnd());
  }

  nextTurn(fn: () => void): void {
    live(() => originals.setImmediate(fn));
  }

  /** In a turn of its own, in the context of the code that connected. */
  #later(fn: () => void): void {
    live(() => originals.setImmediate(() => this.#inAgent(fn)));
  }

  #all(): Http2Exchange[] {
    return [...this.#exchanges.values(), ...this.#unsent].filter(({ over }) => !over);
  }

  #came(detail: string, hand: () => void): void {
    if (this.#events === null) this.#inAgent(hand);
    else this.#events.came(detail, hand);
  }

  #replayed(detail: string): void {
    if (detail === "timeout") return this.expire?.();
    if (detail !== "close") return this.source.replayed(detail);
    const closed = this.#closed;
    this.#closed = null;
    this.#mayClose = true;
    closed?.();
  }

  #destroyed(closed: () => void): void {
    live(() => this.source.destroy());
    for (const exchange of this.#all()) exchange.left();
    // nothing that comes now reaches the session
    this.#queue.length = 0;
    if (this.isTold && !this.#mayClose) this.#closed = closed;
    else if (this.#events === null || recorder.isReplay) this.#later(closed);
    else this.#events.came("close", closed);
  }

  /** The session has written. It goes out even where it cannot be read. */
  #sent(bytes: Buffer): void {
    const frames = guarded("http2", [], () => this.#written.feed(bytes));
    for (const frame of frames) if (frame.type === FRAME.headers) this.#number(frame.stream);
    live(() => this.source.send(bytes));
    for (const frame of frames) guarded("http2", undefined, () => this.#sentFrame(frame));
  }

  #sentFrame(frame: Frame): void {
    const exchange = this.#exchanges.get(frame.stream);
    const ends = (frame.flags & FLAG.endStream) !== 0;
    if (exchange !== undefined) {
      if (frame.type === FRAME.data) exchange.upload(frame.payload, ends);
      else if (frame.type === FRAME.headers && ends) exchange.upload(Buffer.alloc(0), true);
      else if (frame.type === FRAME.reset) exchange.left();
      this.#forget(exchange);
    }
    live(() => this.source.sent(frame, exchange));
  }

  /** A connection may live for as long as its program: what it holds of an exchange goes with it. */
  #forget(exchange: Http2Exchange): void {
    if (!exchange.isDone) return;
    this.#unsent.delete(exchange);
    this.#exchanges.delete(exchange.stream.id ?? 0);
    this.source.forget(exchange);
  }

  #number(id: number): void {
    for (const exchange of this.#unsent) {
      if (exchange.stream.id !== id) continue;
      this.#unsent.delete(exchange);
      this.#exchanges.set(id, exchange);
    }
  }

  #next(): void {
    while (this.#waiting === null) {
      const arrival = this.#queue.shift();
      if (arrival === undefined) return;
      if ("failed" in arrival)
        this.#fail(arrival.failed ?? closedError(), arrival.wire, arrival.failed === null ? "end" : "fail");
      else this.#take(arrival);
    }
  }

  #take(frame: Frame): void {
    const fields = this.#read(frame);
    if (frame.stream === 0 && this.#isEvent(frame)) return;
    const exchange = this.#exchanges.get(frame.stream);
    const told = exchange === undefined ? null : detailBeside(exchange, frame, fields);
    if (told !== null) return this.#event(told, frame.wire);
    if (exchange !== undefined && !exchange.over) {
      this.#waiting = { by: exchange, wire: frame.wire };
      if (guarded("http2", false, () => exchange.arrived(frame, fields))) return;
      this.#waiting = null;
    }
    this.socket.supply(frame.wire);
    const isPart = frame.type === FRAME.headers || frame.type === FRAME.data;
    if (isPart && (frame.flags & FLAG.endStream) !== 0) this.#pause();
  }

  /**
   * A stream has ended: what follows comes in another turn. Over a socket of the system a stream tells its program of the end before
   * the session reads on; one that is reset before that, with a part of its request unsent, would never close.
   */
  #pause(): void {
    const pause = { by: null, wire: Buffer.alloc(0) };
    this.#waiting = pause;
    this.#later(() => {
      if (this.#waiting !== pause) return;
      this.#waiting = null;
      this.#next();
    });
  }

  /** Header blocks have to be read all, in their order. Null: there is none, or one was unreadable. */
  #read({ type, payload }: Frame): HeaderPairs | null {
    if ((type !== FRAME.headers && type !== FRAME.push) || this.#unreadable) return null;
    const fields = guarded<HeaderPairs | null>("http2", null, () => this.#fields.read(payload));
    this.#unreadable = fields === null;
    return fields;
  }

  /** Frames of the connection itself that wake a program come in turns of their own. */
  #isEvent({ type, flags, payload, wire }: Frame): boolean {
    const detail = guarded("http2", null, () => detailOf(type, flags, payload));
    if (detail === null) return false;
    if (type === FRAME.goaway && payload.readUInt32BE(4) !== 0) {
      this.#fail(sessionError(payload.readUInt32BE(4)), wire, detail);
      return true;
    }
    this.#event(detail, wire);
    return true;
  }

  /** A frame that comes in a turn of its own, in the order of the code that connected. */
  #event(detail: string, wire: Buffer): void {
    this.#waiting = { by: null, wire };
    this.#came(detail, () => {
      this.#waiting = null;
      this.socket.supply(wire);
      this.#next();
    });
  }

  /** `detail`: what a record tells of it where no exchange is open. */
  #fail(error: Error, wire: Buffer | null, detail: string): void {
    const [first] = this.#all();
    if (first === undefined) return this.#came(detail, () => this.#break(error, wire));
    this.#waiting = { by: first, wire: wire ?? Buffer.alloc(0) };
    first.fail(error, wire);
  }

  #break(error: Error, wire: Buffer | null): void {
    if (wire !== null) this.socket.supply(wire);
    else if (error.message === CLOSED) this.socket.supplyEnd();
    else this.socket.destroy(error);
  }
}

function closedError(): Error {
  return Object.assign(new Error(CLOSED), { code: "ECONNRESET" });
}

function sessionError(code: number): Error {
  return Object.assign(new Error(`Session closed with error code ${code}`), { code: "ERR_HTTP2_SESSION_ERROR" });
}

const isContinue = (fields: HeaderPairs | null): boolean =>
  fields?.some(([name, value]) => name === ":status" && value === "100") === true;

/** What a record tells of a frame of an exchange that is no part of its answer; null: it is one. */
function detailBeside({ over, stream }: Http2Exchange, frame: Frame, fields: HeaderPairs | null): string | null {
  // it may send its body once it has this
  if (!over) return isContinue(fields) ? `continue ${frame.stream}:100` : null;
  const isReset = frame.type === FRAME.reset && !stream.destroyed && frame.payload.length >= 4;
  return isReset ? `reset ${frame.stream}:${frame.payload.readUInt32BE(0)}` : null;
}

/** What a record tells of a frame: numbers alone. Null: it wakes nobody. */
function detailOf(type: number, flags: number, payload: Buffer): string | null {
  const isAck = (flags & FLAG.ack) !== 0;
  if (type === FRAME.settings && isAck) return "ack";
  if (type === FRAME.settings) {
    const pairs: string[] = [];
    for (let at = 0; at + 6 <= payload.length; at += 6)
      pairs.push(`${payload.readUInt16BE(at)}:${payload.readUInt32BE(at + 2)}`);
    return `settings ${pairs.join(",")}`;
  }
  if (type === FRAME.ping && isAck) return "pong";
  if (type === FRAME.goaway) return `goaway ${payload.readUInt32BE(0)}:${payload.readUInt32BE(4)}`;
  return null;
}
