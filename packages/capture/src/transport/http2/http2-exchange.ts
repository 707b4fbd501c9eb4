import { recordError, recordWholeError, type HeaderPairs } from "@reenact/envelope";
import { AsyncLocalStorage } from "node:async_hooks";
import type http2 from "node:http2";
import { collectToolCalls } from "../../span/answer.ts";
import { errorOfExchange } from "../../span/error-of-exchange.ts";
import { settle, type OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { guarded } from "../../fault/faults.ts";
import { originals } from "../../patch/originals.ts";
import { live } from "../../run/context.ts";
import type { DeliveryKind } from "../../source/gate.ts";
import { Download } from "../http/http-download.ts";
import { SocketTimeout } from "../http/http-timeout.ts";
import { FLAG, FRAME, type Frame } from "./frames.ts";

/** The connection that an exchange is part of. */
export interface ExchangeConnection {
  readonly referenced: boolean;
  /** hands these bytes to the session */
  supply(exchange: Http2Exchange, wire: Buffer): void;
  /** a part of the exchange has been delivered */
  delivered(exchange: Http2Exchange): void;
  /** the program waits for nothing of it any more */
  left(exchange: Http2Exchange): void;
  /** the connection has failed, as the program sees it from now on; `wire`: what the server says of it */
  breakOff(error: Error, wire: Buffer | null): void;
}

/**
 * One request of an HTTP/2 session and its answer. Node's own session reads the frames of the answer, in record and in replay;
 * this class hands them over, one delivery per turn.
 */
export class Http2Exchange {
  readonly step: OpenStep;
  readonly draft: ExchangeDraft;
  readonly stream: http2.ClientHttp2Stream;
  readonly #connection: ExchangeConnection;
  readonly #inAgent = AsyncLocalStorage.snapshot();
  readonly #download: Download;
  readonly #sent: Buffer[] = [];
  readonly #timeout: SocketTimeout;
  /** makes the stream say that it has timed out */
  #expire = (): void => void this.stream.emit("timeout");
  #isSent = false;
  #hasHead = false;
  /** with which the server ends the stream, or the connection, before its end */
  #ending: Buffer | null = null;
  #isReset = false;
  /** nothing is delivered any more: the answer has ended, or the agent has stopped */
  over = false;

  constructor(step: OpenStep, draft: ExchangeDraft, stream: http2.ClientHttp2Stream, connection: ExchangeConnection) {
    this.step = step;
    this.draft = draft;
    this.stream = stream;
    this.#connection = connection;
    this.#timeout = new SocketTimeout(
      step,
      () => {
        this.#inAgent(this.#expire);
        // what happens on the stream later has the time-out run again
        this.#arm(stream.destroyed || stream.closed ? 0 : (stream as { timeout?: number }).timeout);
      },
      () => this.#startTimeout(),
    );
    this.#download = new Download(step, draft, {
      offer: (kind, id, part, deliver) => this.#offer(kind, id, part, deliver),
      receive: (bytes) => void (bytes !== null && connection.supply(this, bytes)),
      breakOff: (error) => this.#breakOff(error),
      ended: (end) => this.#ended(end),
    });
  }

  /** Nothing more comes, and nothing more is sent. */
  get isDone(): boolean {
    return this.over && (this.#isSent || this.draft.requestBody !== undefined || this.stream.destroyed);
  }

  get isSending(): boolean {
    return !this.over && !this.#isSent && this.draft.requestBody === undefined;
  }

  /** A frame of the answer; `fields`: what a header block holds. False: it is to be passed on as it is. */
  arrived(frame: Frame, fields: HeaderPairs | null, at?: number): boolean {
    const ends = (frame.flags & FLAG.endStream) !== 0;
    const { payload: bytes, wire } = frame;
    if (frame.type === FRAME.reset) this.#resetBy(frame);
    else if (frame.type === FRAME.headers) return this.#headers(fields ?? [], wire, ends);
    else if (frame.type !== FRAME.data || !this.#hasHead || (bytes.length === 0 && !ends)) return false;
    else if (bytes.length === 0) this.#download.arrived({ kind: "end", wire, trailers: false }, at);
    else this.#download.arrived({ kind: "chunk", bytes, last: ends, wire }, at);
    return true;
  }

  /** The connection has failed; `wire`: what the server says of it. */
  fail(error: Error, wire: Buffer | null): void {
    this.#ending = wire;
    this.#download.fail(error);
  }

  /** The connection has failed, which another exchange has told the program of. */
  dies(error: Error): void {
    if (this.over) return;
    this.over = true;
    this.draft.error = recordWholeError(error, live);
    this.#close("error");
  }

  /** No record holds this request: it fails as if nothing had been sent. */
  refuse(error: Error): void {
    this.over = true;
    this.draft.error = recordError(error);
    this.#close("error");
    this.stream.destroy(error);
  }

  /** The program has destroyed the stream, of which nothing is journaled. */
  left(): void {
    if (this.over) return this.#connection.left(this);
    this.over = true;
    guarded("answer", undefined, () => collectToolCalls(this.step));
    this.#close(this.draft.response === null ? "aborted" : "cancelled");
    this.#connection.left(this);
  }

  /** The program sets a time-out of the stream, by `real`; in a replay it never comes by itself. */
  setTimeout(real: () => unknown, ms: number, callback: (() => void) | undefined): unknown {
    const { stream } = this;
    const isVirtual = this.step.run.source.virtualTimers;
    if (isVirtual && stream.destroyed) return stream;
    const result = isVirtual ? stream : real();
    if (isVirtual) {
      (stream as { timeout?: number }).timeout = ms;
      if (callback !== undefined && ms === 0) stream.removeListener("timeout", callback);
      else if (callback !== undefined) stream.once("timeout", callback);
    }
    this.#arm(ms);
    return result;
  }

  /** A time-out that was set while it never came by itself runs from now on. */
  #startTimeout(): void {
    const stream = this.stream as { timeout?: number };
    const { timeout } = stream;
    const expire = (): void => {
      if (!this.over && stream.timeout === timeout) this.timedOut(this.#expire);
    };
    if (timeout) live(() => originals.setTimeout(expire, timeout)).unref();
  }

  /** The real time-out is over. */
  timedOut(real: () => void): void {
    if (this.over) return real();
    this.#expire = real;
    const isTold = guarded("http2", false, () => {
      this.#timeout.rang();
      return true;
    });
    if (!isTold) real();
  }

  /** Bytes of the request's body, as they go out. */
  upload(bytes: Buffer, ends: boolean): void {
    if (this.#isSent || this.draft.requestCut !== undefined) return;
    if (bytes.length > 0) this.#sent.push(Buffer.from(bytes));
    if (!ends) return;
    this.#isSent = true;
    const { run } = this.step;
    const { method, url, requestHeaders: headers, requestBody } = this.draft;
    const body = this.#sent.length === 0 ? null : Buffer.concat(this.#sent);
    this.draft.requestBody = body;
    if (this.over || this.step.state !== "open") return;
    if (requestBody === undefined)
      guarded("http2", undefined, () => run.source.late(this.step, { method, url, headers, body }));
    if (this.step.answer.from === "live") run.inFlight(this.step);
  }

  /** The program sends these fields behind the body. */
  trailers(fields: HeaderPairs): void {
    const names = fields.map(([name]) => name).join(", ");
    if (names !== "") this.draft.requestHeaders = [...this.draft.requestHeaders, [":trailers", names], ...fields];
  }

  /** The exchange is over before its request was sent whole: how much of it went out depends on the network. */
  #cut(): void {
    const { draft, step } = this;
    if (this.#isSent || draft.requestBody !== undefined || draft.requestCut !== undefined) return;
    const sent = this.#sent.splice(0);
    const cut = sent.reduce((sum, { length }) => sum + length, 0);
    draft.requestCut = cut;
    // one that has read the head before reads it anew
    const headers = [...draft.requestHeaders];
    draft.requestHeaders = headers;
    if (step.state !== "open") return;
    const { method, url } = draft;
    // one that the program itself has not ended is no matter of the network
    const isUnended = !this.stream.writableEnded;
    guarded("http2", undefined, () => {
      const body = isUnended && cut > 0 && step.answer.from !== "live" ? Buffer.concat(sent) : null;
      step.run.source.late(step, { method, url, headers, body, cut, isUnended });
    });
  }

  #arm(ms: number | undefined): void {
    guarded("http2", undefined, () => this.#timeout.arm(this.over ? 0 : ms));
  }

  #headers(fields: HeaderPairs, wire: Buffer, ends: boolean): boolean {
    const headers = fields.filter(([name]) => !name.startsWith(":"));
    if (this.#hasHead) {
      this.#download.arrived({ kind: "end", wire, trailers: false, fields: headers });
      return true;
    }
    const status = Number(fields.find(([name]) => name === ":status")?.[1] ?? 0);
    if (status >= 100 && status < 200 && !ends) {
      this.step.lossy.push(`informational ${status}`);
      return false;
    }
    if (status === 0) this.step.lossy.push("headers");
    this.#hasHead = true;
    this.#download.arrived({
      kind: "head",
      head: { start: "", headers },
      line: { status, reason: "" },
      framing: { by: ends ? "nothing" : "close" },
      wire,
      last: ends,
    });
    return true;
  }

  #resetBy({ wire, payload }: Frame): void {
    this.#ending = wire;
    this.#isReset = true;
    this.#download.fail(streamError(payload.length < 4 ? 0 : payload.readUInt32BE(0)));
  }

  #breakOff(error: Error): void {
    if (this.#isReset && this.#ending !== null) this.#connection.supply(this, this.#ending);
    else this.#connection.breakOff(error, this.#ending);
  }

  #offer(kind: DeliveryKind, id: number, part: number, deliver: () => void): void {
    const { run, frame } = this.step;
    const { stream } = this;
    const dead = (): boolean => this.over || stream.destroyed || stream.closed;
    const fire = (): void => {
      this.#inAgent(deliver);
      this.#connection.delivered(this);
    };
    if (run.over) {
      if (!this.over) fire();
    } else {
      const referenced = (): boolean => this.#connection.referenced;
      run.source.gate.offer({ kind, id, part, scope: frame.scope, dead, referenced, fire });
    }
  }

  #ended(end: "complete" | "error"): void {
    this.over = true;
    this.draft.end = end;
    this.#cut();
    this.step.error = errorOfExchange(this.draft);
    // the run may have ended before its exchange
    if (this.step.state !== "open") return;
    guarded("answer", undefined, () => collectToolCalls(this.step));
    guarded("settle", undefined, () => settle(this.step));
  }

  #close(end: "error" | "aborted" | "cancelled"): void {
    this.draft.end = end;
    this.#cut();
    this.step.error = errorOfExchange(this.draft);
    this.step.run.closed(this.step);
  }
}

/** Codes of errors, RFC 9113, section 7, by their number. */
const CODES =
  "NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM INADEQUATE_SECURITY HTTP_1_1_REQUIRED".split(
    " ",
  );
const STREAM_CLOSED = "Stream closed with error code ";

/** As Node words it for a stream that its server has reset. */
function streamError(code: number): Error {
  const name = CODES[code] === undefined ? String(code) : `NGHTTP2_${CODES[code]}`;
  return Object.assign(new Error(`${STREAM_CLOSED}${name}`), { code: "ERR_HTTP2_STREAM_ERROR" });
}

/** The code in such an error; null: it is another one. */
export function resetCode(message: string): number | null {
  if (!message.startsWith(STREAM_CLOSED)) return null;
  const name = message.slice(STREAM_CLOSED.length).replace("NGHTTP2_", "");
  const code = CODES.indexOf(name);
  return code === -1 ? Number(name) || 0 : code;
}
