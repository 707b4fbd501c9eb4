import type { HeaderPairs } from "@reenact/envelope";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { orderPromise } from "../../ambient/operations/ordered-operations.ts";
import { channelStep } from "../../hook/channel-step.ts";
import { guarded } from "../../fault/faults.ts";
import { ToldChannel } from "../../hook/told-channel.ts";
import { isWireIdle, WireIdle } from "../../hook/wire/live-wire.ts";
import { type WireEnd, WireStream, type WireWriter } from "../../hook/wire/wire-stream.ts";
import { addAddress, addTlsProperties } from "../http/http-socket.ts";
import { leaked } from "../../leaks/leaked.ts";
import { live, type RunFrame, within } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import {
  addressOf,
  type Handshake,
  handshakeArgs,
  type HandshakeRequest,
  isCookie,
  type LiveHandshake,
  recordedHandshake,
} from "./handshake.ts";
import { MessageReader, type ReadFrame } from "./message-reader.ts";
import { bytesOfMessage, type WebSocketMessage } from "./web-socket-message.ts";

/** A real connection that is being opened. */
export interface WebSocketDial {
  readonly answer: Promise<LiveHandshake>;
  /** the program does not want it any more */
  stop(): void;
}

/** Paths on which a model listens: such a connection is an agentic step. */
const MODEL_PATH = /\/(?:realtime|responses)$|BidiGenerateContent/;
const PROTOCOL = "websocket";
const NOT_LIVE = "a WebSocket cannot be opened in a replay";

/** how many connections this process has opened to each address */
const opened = new Map<string, number>();

/**
 * One WebSocket of a program. Its handshake, each message that it sends and what the server sends are steps; a recording hands
 * them to the real connection, a replay opens none. In both, the client reads whole messages.
 */
export class WebSocketConnection implements WireEnd {
  readonly stream = new WireStream();
  readonly #frame: RunFrame | null;
  #request: HandshakeRequest;
  readonly #dial: () => WebSocketDial;
  readonly #told: ToldChannel;
  readonly #address: string;
  readonly #program = {
    onmessage: (message: unknown) => this.#push(bytesOfMessage(message as WebSocketMessage)),
    onclose: () => this.#push(null),
    onerror: (error: unknown) => void this.stream.destroy(error as Error),
  };
  #cookies: HeaderPairs = [];
  #asked: ((head: string) => void) | null = null;
  #head = "";
  #socket: Duplex | null = null;
  #dialled: WebSocketDial | null = null;
  #sent: MessageReader | null = null;
  #received: MessageReader | null = null;
  /** what was written cannot be read as messages: it goes on without a record */
  #isRaw = false;
  #isEnded = false;
  /** the client has enough for now */
  #isFull = false;
  #patience: NodeJS.Timeout | null = null;
  #outOfTime: (error: Error) => void = () => this.stream.emit("timeout");

  /** `frame`: of the code that opens it; null: outside of every run */
  constructor(frame: RunFrame | null, request: HandshakeRequest, dial: () => WebSocketDial) {
    this.#frame = frame;
    this.#request = request;
    this.#dial = dial;
    this.#address = addressOf(request.url);
    const number = opened.get(this.#address) ?? 0;
    opened.set(this.#address, number + 1);
    this.#told = new ToldChannel({ websocket: this.#address, number }, PROTOCOL);
    this.stream.bind(this);
    const end = { real: () => this.#socket as Socket | null };
    addAddress(this.stream, end);
    if (/^(?:https|wss):$/.test(request.url.protocol)) addTlsProperties(this.stream, end);
  }

  /** Tells of the head of a request that the client writes itself, once it is whole. */
  whenAsked(told: (head: string) => void): void {
    this.#asked = told;
  }

  /** Resolves with the answer. `present` shows it to the client before anything else comes. `request`: as it is sent */
  async open(present: (answer: Handshake) => void, request = this.#request): Promise<void> {
    this.#request = request;
    const frame = this.#frame?.run.over === true ? null : this.#frame;
    const args = [handshakeArgs(request)];
    const body = (): Promise<unknown> =>
      this.#told.outside(frame, "handshake", args, () => live(() => this.#openLive()));
    try {
      const answer = (await (frame === null
        ? body()
        : channelStep(frame, "connect", args, body, {
            protocol: PROTOCOL,
            agentic: MODEL_PATH.test(this.#request.url.pathname),
          }))) as Handshake;
      live(() => this.setTimeout(0));
      // the client may write as soon as it has the answer
      if (answer.status === 101) this.#begin();
      present({ ...answer, headers: [...answer.headers, ...this.#cookies] });
      if (answer.status === 101) this.#follow();
      else this.#push(null);
    } catch (error) {
      if (isWireIdle(error)) this.stream.emit("timeout");
      else this.stream.destroy(error as Error);
    }
  }

  async #openLive(): Promise<Handshake> {
    if (recorder.isReplay) throw new Error(NOT_LIVE);
    const dialled = this.#dial();
    this.#dialled = dialled;
    const outOfTime = new Promise<never>((_, reject) => (this.#outOfTime = reject));
    const answer = await Promise.race([dialled.answer, outOfTime]);
    const { socket } = answer;
    this.#socket = socket;
    this.#cookies = answer.headers.filter(([name]) => isCookie(name));
    socket?.pause();
    if (answer.first.length > 0) socket?.unshift(answer.first);
    socket?.on("error", (error: Error) => this.#came({ error }));
    if (this.stream.destroyed) socket?.destroy();
    return recordedHandshake(answer, this.#request.headers);
  }

  #begin(): void {
    this.#sent = new MessageReader();
    this.#received = new MessageReader();
    if (this.#frame !== null && !this.#frame.run.over) this.#told.begin(this.#frame, "incoming", this.#program);
  }

  #follow(): void {
    const socket = this.#socket;
    if (socket === null) return;
    live(() => {
      socket.on("end", () => this.#came({ closed: true }));
      socket.on("data", (chunk: Buffer) => this.#read(chunk)).resume();
    });
  }

  write(chunk: Buffer, writer: WireWriter): Promise<void> | undefined {
    if (this.#sent === null) return this.#readHead(chunk);
    if (this.#isRaw) return this.#writeLive(chunk);
    let taken: Promise<void> | undefined;
    try {
      for (const frame of this.#sent.read(chunk)) taken = this.#send(frame, writer) ?? taken;
      return taken;
    } catch {
      this.#isRaw = true;
      const frame = writer.frame ?? this.#frame;
      if (frame !== null) within(frame, () => leaked("socket", this.#address));
      // fragments before it are sent
      return this.#writeLive(this.#sent.unsent);
    }
  }

  #readHead(chunk: Buffer): undefined {
    if (this.#asked === null) return;
    this.#head += chunk.toString("latin1");
    const end = this.#head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const told = this.#asked;
    this.#asked = null;
    told(this.#head.slice(0, end));
  }

  #send({ message, bytes }: ReadFrame, { frame: writing, isOwn }: WireWriter): Promise<void> | undefined {
    const frame = isOwn || writing === null || writing.run.over ? null : writing;
    let taken: Promise<void> | undefined;
    let isSent = recorder.isReplay;
    const body = (): void => {
      isSent = true;
      taken = this.#writeLive(bytes);
    };
    // a client answers a ping by itself
    if (frame === null || message === null || (typeof message === "object" && "pong" in message)) {
      body();
      return taken;
    }
    guarded("websocket", undefined, () => {
      this.#told.enter(frame, this.#program);
      const sent = channelStep(frame, nameOf(message), [message], body, { protocol: PROTOCOL });
      // without a record: it says why
      if (sent instanceof Promise) sent.catch(this.#program.onerror);
    });
    if (!isSent) body();
    return taken;
  }

  #writeLive(bytes: Buffer): Promise<void> | undefined {
    const socket = this.#socket;
    if (recorder.isReplay || socket === null) return undefined;
    return live(() => {
      if (!socket.writable || socket.write(bytes)) return undefined;
      return new Promise<void>((resolve) => {
        socket.once("drain", resolve);
        socket.once("close", resolve);
      });
    });
  }

  #read(chunk: Buffer): void {
    const received = this.#received;
    if (received === null) return this.#came({ message: { raw: new Uint8Array(chunk) } });
    try {
      for (const { message } of received.read(chunk)) if (message !== null) this.#came({ message });
    } catch {
      this.#received = null;
      this.#came({ message: { raw: new Uint8Array(received.unread) } });
    }
  }

  #came(item: { message: WebSocketMessage } | { closed: true } | { error: unknown }): void {
    if (!this.#isEnded) this.#told.came(item, this.#program);
  }

  #push(bytes: Buffer | null): void {
    if (this.stream.destroyed || this.stream.push(bytes) || bytes === null) return;
    this.#isFull = true;
    live(() => this.#socket?.pause());
  }

  wanted(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    live(() => this.#socket?.resume());
  }

  /** Has no part in the opening: the client writes its request first. */
  connect(): void {}

  async end(): Promise<void> {
    this.#isEnded = true;
    await orderPromise(() => (recorder.isReplay ? Promise.resolve() : this.#endLive()))();
  }

  #endLive(): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once("close", resolve);
      socket.end();
      // who does not read does not see the end
      socket.resume();
    });
  }

  destroy(): void {
    this.#isEnded = true;
    live(() => {
      this.setTimeout(0);
      this.#dialled?.stop();
      this.#socket?.destroy();
    });
  }

  setReferenced(isReferenced: boolean): void {
    const socket = this.#socket as { ref?(): void; unref?(): void } | null;
    live(() => (isReferenced ? socket?.ref?.() : socket?.unref?.()));
  }

  /** For as long as the connection is being opened. */
  setTimeout(ms: number): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#patience = null;
    if (ms <= 0 || this.#sent !== null || recorder.isReplay) return;
    this.#patience = live(() => setTimeout(() => this.#outOfTime(new WireIdle()), ms).unref());
  }
}

/** Name of the step of a message that is sent. */
function nameOf(message: WebSocketMessage): string {
  if (typeof message === "string" || "json" in message || "binary" in message) return "send";
  return "close" in message ? "close" : "ping";
}
