import type { HeaderPairs, RecordedExchange } from "@reenact/envelope";
import type { RecordedChunk } from "../../source/answer.ts";
import { servedError } from "../../source/served-value.ts";
import { FLAG, FRAME, type Frame, writeData, writeFrame, writeHeaders, writeNumber } from "./frames.ts";
import { writeHeaderBlock } from "./hpack.ts";
import type { Http2Connection } from "./http2-connection.ts";
import { type Http2Exchange, resetCode } from "./http2-exchange.ts";
import type { Http2Source } from "./http2-source.ts";

const REFUSED = 7;
/** RFC 9113: what each side may send before it is told otherwise. */
const FIRST_WINDOW = 65_535;
const INITIAL_WINDOW_SIZE = 4;
/** What a client does behind a write takes so many turns of the event loop. */
const TURNS = 4;
const NO_BYTES = Buffer.alloc(0);

/** Bytes of a frame of settings, by number and value. */
function settingsOf(payload: Buffer): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6)
    out.push([payload.readUInt16BE(at), payload.readUInt32BE(at + 2)]);
  return out;
}

/** A part of an answer; `size`: bytes that the windows of the client must have room for. */
interface Part {
  readonly size: number;
  give(): void;
}

/** Answers of one kind that a client asks for. In a replay one may be due before it is asked for. */
class Replies {
  readonly #asked: Buffer[] = [];
  #due = 0;

  asked(wire: Buffer, give: (wire: Buffer) => void): void {
    if (this.#due === 0) this.#asked.push(wire);
    else {
      this.#due--;
      give(wire);
    }
  }

  due(give: (wire: Buffer) => void): void {
    const wire = this.#asked.shift();
    if (wire === undefined) this.#due++;
    else give(wire);
  }
}

class ServedStream {
  readonly parts: Part[] = [];
  sent = 0;
  granted = 0;
  /** a part has been given and not delivered yet */
  isUnderWay = false;
}

/**
 * A record: the server's side of a connection, without a socket. It answers what the protocol asks for by itself; of an answer
 * each part is owed as soon as the one before it has been delivered, and the gate says when.
 */
export class ServedHttp2 implements Http2Source {
  readonly real = null;
  readonly #to: Http2Connection;
  readonly #streams = new Map<Http2Exchange, ServedStream>();
  /** requests that are not served yet: after so many turns */
  readonly #turns = new Map<Http2Exchange, number>();
  /** bytes of the bodies of requests */
  readonly #taken = new WeakMap<Http2Exchange, number>();
  #sent = 0;
  #granted = FIRST_WINDOW;
  #perStream = FIRST_WINDOW;
  /** settings come first; what has to wait for them */
  #greeted = false;
  readonly #unsaid: Buffer[] = [];
  /** answers to settings and pings of the client: what it has asked for, and what is due before it has */
  readonly #settingsAcks = new Replies();
  readonly #pongs = new Replies();

  constructor(to: Http2Connection) {
    this.#to = to;
    // one that was made before this run, or outside of it: no record tells of it
    to.connectLater();
  }

  send(): void {}

  opened(exchange: Http2Exchange): void {
    const { answer } = exchange.step;
    if (answer.from !== "exchange") return;
    const { response, error } = answer.exchange;
    // of a connection that never stood nothing is sent
    if (response === undefined && error !== undefined && error.code !== "ERR_HTTP2_STREAM_ERROR") this.#serve(exchange);
  }

  sent(frame: Frame, exchange: Http2Exchange | undefined): void {
    const { type, flags, stream, payload } = frame;
    if (type === FRAME.settings && (flags & FLAG.ack) === 0) this.#settings(payload);
    else if (type === FRAME.ping && (flags & FLAG.ack) === 0) this.#ping(payload);
    else if (type === FRAME.window) this.#window(stream, payload.readUInt32BE(0));
    else if (type === FRAME.headers && exchange === undefined) this.#say(writeNumber(FRAME.reset, stream, REFUSED));
    else if (exchange !== undefined && (type === FRAME.headers || type === FRAME.data)) this.#serveLater(exchange);
    if (type === FRAME.data && payload.length > 0) {
      this.#say(writeNumber(FRAME.window, 0, payload.length));
      if ((flags & FLAG.endStream) === 0 && this.#takesMore(exchange, payload.length))
        this.#say(writeNumber(FRAME.window, stream, payload.length));
    }
  }

  /** Whether the recorded server took more of a body: one that it refused in the middle is not sent whole here either. */
  #takesMore(exchange: Http2Exchange | undefined, bytes: number): boolean {
    const answer = exchange?.step.answer;
    if (exchange === undefined || answer?.from !== "exchange") return true;
    const { cut } = answer.exchange.request;
    const taken = (this.#taken.get(exchange) ?? 0) + bytes;
    this.#taken.set(exchange, taken);
    return cut === undefined || taken < cut || !this.#to.isTold;
  }

  delivered(exchange: Http2Exchange): void {
    const stream = this.#streams.get(exchange);
    if (stream === undefined) return;
    stream.isUnderWay = false;
    this.#give(stream);
  }

  forget(exchange: Http2Exchange): void {
    this.#streams.delete(exchange);
  }

  replayed(detail: string): void {
    const [what = "", numbers = ""] = detail.split(" ");
    const { socket } = this.#to;
    const pairs = numbers.split(",").flatMap((pair) => {
      const [a, b] = pair.split(":").map(Number);
      return a === undefined || b === undefined ? [] : [[a, b] as const];
    });
    const [first = 0, second = 0] = pairs[0] ?? [];
    if (what === "connect") socket.connected();
    else if (what === "settings") this.#greet(writeSettings(pairs), (wire) => socket.supply(wire));
    else if (what === "ack") this.#settingsAcks.due((wire) => socket.supply(wire));
    else if (what === "pong") this.#pongs.due((wire) => socket.supply(wire));
    else if (what === "goaway") socket.supply(writeGoaway(first, second));
    else if (what === "continue") socket.supply(writeHeaders(first, writeHeaderBlock([[":status", "100"]]), false));
    else if (what === "reset") socket.supply(writeNumber(FRAME.reset, first, second));
    else if (what === "end") socket.supplyEnd();
    else socket.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" }));
  }

  end(): void {
    if (!this.#to.isTold) this.#to.endLater();
  }

  destroy(): void {}

  /** Sends by itself what the protocol asks for. */
  #say(wire: Buffer): void {
    if (this.#greeted) this.#to.later(wire);
    else this.#unsaid.push(wire);
  }

  #greet(settings: Buffer, give: (wire: Buffer) => void): void {
    give(settings);
    this.#greeted = true;
    for (const wire of this.#unsaid.splice(0)) this.#to.later(wire);
  }

  #settings(payload: Buffer): void {
    for (const [setting, value] of settingsOf(payload)) if (setting === INITIAL_WINDOW_SIZE) this.#perStream = value;
    if (!this.#greeted && !this.#to.isTold) this.#greet(writeSettings([]), (first) => this.#to.later(first));
    const wire = writeFrame(FRAME.settings, FLAG.ack, 0, NO_BYTES);
    if (!this.#to.isTold) this.#to.later(wire);
    else this.#settingsAcks.asked(wire, (late) => this.#to.later(late));
  }

  #ping(payload: Buffer): void {
    const wire = writeFrame(FRAME.ping, FLAG.ack, 0, payload);
    if (!this.#to.isTold) this.#to.later(wire);
    else this.#pongs.asked(wire, (late) => this.#to.later(late));
  }

  #window(id: number, more: number): void {
    if (id === 0) this.#granted += more;
    for (const [exchange, stream] of this.#streams) {
      if (exchange.stream.id === id) stream.granted += more;
      this.#give(stream);
    }
  }

  /** The client has come to the end of what it did with its last write by then, as it has over a network. */
  #serveLater(exchange: Http2Exchange): void {
    const isWaiting = this.#turns.has(exchange);
    if (this.#streams.has(exchange)) return;
    this.#turns.set(exchange, TURNS);
    if (isWaiting) return;
    const count = (): void => {
      const left = (this.#turns.get(exchange) ?? 0) - 1;
      this.#turns.set(exchange, left);
      if (left > 0) return this.#to.nextTurn(count);
      this.#turns.delete(exchange);
      if (!this.#streams.has(exchange)) this.#serve(exchange);
    };
    this.#to.nextTurn(count);
  }

  #serve(exchange: Http2Exchange): void {
    const { answer } = exchange.step;
    const stream = new ServedStream();
    this.#streams.set(exchange, stream);
    if (answer.from !== "exchange") return;
    stream.parts.push(...this.#parts(exchange, answer.exchange, answer.body()));
    this.#give(stream);
  }

  #give(stream: ServedStream): void {
    const [next] = stream.parts;
    if (next === undefined || stream.isUnderWay) return;
    const room = Math.min(this.#granted - this.#sent, this.#perStream + stream.granted - stream.sent);
    if (next.size > 0 && next.size > room) return;
    stream.parts.shift();
    stream.sent += next.size;
    this.#sent += next.size;
    stream.isUnderWay = true;
    next.give();
  }

  #parts(to: Http2Exchange, { response, error, end }: RecordedExchange, chunks: readonly RecordedChunk[]): Part[] {
    const failed: Part[] = error === undefined ? [] : [{ size: 0, give: () => fail(to, error) }];
    // neither: it never arrived
    if (response === undefined) return failed;
    const id = to.stream.id ?? 0;
    const hasBody = response.body !== undefined;
    const fields: HeaderPairs = [[":status", String(response.status)], ...response.headers];
    const parts = [blockPart(to, id, fields, !hasBody && end === "complete")];
    const isMerged = end === "complete" && response.trailers === undefined && !hasEnd(to);
    for (const [n, { bytes, at }] of chunks.entries())
      parts.push(dataPart(to, id, Buffer.from(bytes), isMerged && n === chunks.length - 1, at));
    if (end === "error") return [...parts, ...failed];
    if (!hasBody || (isMerged && chunks.length > 0)) return parts;
    if (response.trailers !== undefined) return [...parts, blockPart(to, id, response.trailers, true)];
    // cancelled, open, aborted: the recorded agent never got further; the gate reports one that waits here
    return [...parts, dataPart(to, id, NO_BYTES, true)];
  }
}

/** Whether the end of the answer was delivered by itself, and not with the last of its bytes. */
function hasEnd({ step }: Http2Exchange): boolean {
  const { index: id, frame, run } = step;
  const end = { kind: "e", id, part: 0, scope: frame.scope } as const;
  return run.source.gate.isEvent({ ...end, dead: () => false, referenced: () => true, fire: () => {} }, false);
}

function blockPart(to: Http2Exchange, id: number, fields: HeaderPairs, ends: boolean): Part {
  return {
    size: 0,
    give: () => give(to, writeHeaders(id, writeHeaderBlock(fields), ends), FRAME.headers, ends, fields),
  };
}

function dataPart(to: Http2Exchange, id: number, bytes: Buffer, ends: boolean, at?: number): Part {
  return {
    size: bytes.length,
    give: () => give(to, writeData(id, bytes, ends), FRAME.data, ends, null, { payload: bytes, at }),
  };
}

function give(
  to: Http2Exchange,
  wire: Buffer,
  type: number,
  ends: boolean,
  fields: HeaderPairs | null,
  data?: { payload: Buffer; at: number | undefined },
): void {
  const flags = ends ? FLAG.endStream : 0;
  to.arrived({ type, flags, stream: to.stream.id ?? 0, payload: data?.payload ?? NO_BYTES, wire }, fields, data?.at);
}

function fail(to: Http2Exchange, error: NonNullable<RecordedExchange["error"]>): void {
  const code = error.code === "ERR_HTTP2_STREAM_ERROR" ? resetCode(error.message) : null;
  const id = to.stream.id ?? 0;
  if (code !== null) {
    const wire = writeNumber(FRAME.reset, id, code);
    to.arrived({ type: FRAME.reset, flags: 0, stream: id, payload: wire.subarray(-4), wire }, null);
    return;
  }
  const session = /^Session closed with error code (\d+)$/.exec(error.message)?.[1];
  // the session itself says so, in its own order
  const said = error.code === "ERR_HTTP2_ERROR" ? Buffer.from("HTTP/1.1 400 \r\n") : null;
  to.fail(servedError(error) as Error, session === undefined ? said : writeGoaway(id, Number(session)));
}

function writeSettings(settings: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  for (const [n, [setting, value]] of settings.entries()) {
    payload.writeUInt16BE(setting, n * 6);
    payload.writeUInt32BE(value, n * 6 + 2);
  }
  return writeFrame(FRAME.settings, 0, 0, payload);
}

function writeGoaway(last: number, code: number): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(last, 0);
  payload.writeUInt32BE(code, 4);
  return writeFrame(FRAME.goaway, 0, 0, payload);
}
