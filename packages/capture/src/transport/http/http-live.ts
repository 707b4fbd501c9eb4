import type http from "node:http";
import type net from "node:net";
import { live } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { originals } from "../../patch/originals.ts";
import { AnswerReader, type Piece } from "./http-answer.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { HttpSource } from "./http-source.ts";
import { nodeHttp } from "./node-http.ts";

/** How much of a refused answer is read on after the agent has dropped it: SDKs throw a retried body away unread. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 500;

export type Connect = (request: http.ClientRequest) => void;

/** The exchange that an answer comes for. */
export type AnsweredExchange = Pick<
  HttpExchange,
  "step" | "draft" | "request" | "attach" | "connected" | "arrived" | "cut" | "fail" | "keep"
>;

/** The network: the agent's own `Agent` finds the socket, and the bytes of the request go through it unchanged. */
export class LiveConnection implements HttpSource {
  real: net.Socket | null = null;
  readonly #to: AnsweredExchange;
  readonly #connect: Connect;
  readonly #eager: boolean;
  readonly #answer: AnswerReader;
  #waiting: Buffer[] = [];
  #stopped = false;
  #ended = false;
  #drained: ((pieces: Piece[]) => void) | null = null;
  /** what has come before the agent could do what the connection made it do */
  #early: (() => void)[] | null = null;

  /** `eager`: the agent is known not to rewrite a request while it connects. */
  constructor(to: AnsweredExchange, connect: Connect, eager: boolean) {
    this.#to = to;
    this.#connect = connect;
    this.#eager = eager;
    this.#answer = new AnswerReader(to.draft.method);
  }

  start(): boolean {
    const { request } = this.#to;
    let early = true;
    // `onSocket` is where every agent, of whatever kind, hands over what it has found
    request.onSocket = (socket: net.Socket | null, error?: Error | null) => {
      Reflect.deleteProperty(request, "onSocket");
      this.#link(socket, error ?? null);
      if (!early && !this.#eager) this.#to.attach();
    };
    live(() => this.#connect(request));
    early = false;
    return this.#eager || !Object.hasOwn(request, "onSocket");
  }

  send(bytes: Buffer): void {
    if (this.#stopped) return;
    if (this.real === null) this.#waiting.push(bytes);
    else live(() => this.real?.write(bytes));
  }

  expects(): void {}

  delivered(): void {}

  enough(): void {
    this.real?.pause();
  }

  wanted(): void {
    if (this.real?.isPaused()) live(() => this.real?.resume());
  }

  free(): void {
    const { real } = this;
    if (this.#stopped) return;
    this.#stopped = true;
    if (real === null) return;
    this.#unlink(real);
    live(() => (this.#answer.spoiled ? real.destroy() : real.emit("free")));
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const { real } = this;
    if (real === null) return;
    this.#unlink(real);
    real.on("error", () => {});
    live(() => (this.#answer.done && typeof real.destroySoon === "function" ? real.destroySoon() : real.destroy()));
  }

  drain(done: () => void): boolean {
    if (this.real === null || this.#answer.done || this.#ended) return false;
    let bytes = 0;
    const finish = (): void => {
      if (this.#drained === null) return;
      this.#drained = null;
      originals.clearTimeout(timer);
      this.stop();
      done();
    };
    const timer = live(() => originals.setTimeout(finish, DRAIN_MS));
    timer.unref();
    this.#drained = (pieces) => {
      for (const piece of pieces) {
        if (piece.kind !== "chunk") continue;
        bytes += piece.bytes.length;
        this.#to.keep(piece.bytes);
      }
      if (this.#answer.done || this.#ended || bytes >= DRAIN_BYTES) finish();
    };
    this.real.resume();
    return true;
  }

  #link(socket: net.Socket | null, error: Error | null): void {
    if (socket === null || error !== null) {
      socket?.destroy();
      this.#ended = true;
      this.#to.fail(error ?? new Error("no socket"));
      return;
    }
    Object.assign(socket, { _httpMessage: this.#to.request });
    if (this.#stopped) {
      // a turn later, as Node does it: the agent is still in the middle of handing it over
      process.nextTick(() => void socket.emit("free"));
      return;
    }
    this.real = socket;
    socket.on("data", this.#onData).on("end", this.#onEnd).on("error", this.#onError).on("close", this.#onEnd);
    // the time-out of this request is the pipe's; the agent sets its own right after this call
    process.nextTick(() => {
      if (this.real === socket && !this.#stopped) socket.setTimeout?.(0);
    });
    const ready = readyEvent(socket);
    if (ready === null) this.#onReady();
    else socket.once(ready, this.#onReady);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const bytes of waiting) socket.write(bytes);
  }

  #unlink(socket: net.Socket): void {
    socket.off("data", this.#onData).off("end", this.#onEnd).off("error", this.#onError).off("close", this.#onEnd);
    socket.off("connect", this.#onReady).off("secureConnect", this.#onReady);
    if (socket.isPaused()) socket.resume();
  }

  readonly #onReady = (): void => {
    this.#early = [];
    this.#to.connected(later(later(this.#release)));
  };

  readonly #release = (): void => {
    const early = this.#early ?? [];
    this.#early = null;
    for (const pass of early) pass();
  };

  /** Whatever the answer is, it passes here. */
  #pass(pass: () => void): void {
    if (this.#early === null) pass();
    else this.#early.push(pass);
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#offer(guarded("http", [{ kind: "raw", wire: bytes }], () => this.#answer.feed(bytes)));
  };

  readonly #onEnd = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    const piece = this.#answer.ended();
    if (this.#drained !== null) this.#drained(piece === null ? [] : [piece]);
    else if (piece !== null) this.#offer([piece]);
    else if (!this.#answer.done) this.#pass(() => this.#to.cut());
  };

  readonly #onError = (error: Error): void => {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#drained !== null) this.#drained([]);
    else if (!this.#answer.done) this.#pass(() => this.#to.fail(error));
  };

  #offer(pieces: Piece[]): void {
    if (this.#drained !== null) return this.#drained(pieces);
    this.#pass(() => this.#arrived(pieces));
  }

  #arrived(pieces: Piece[]): void {
    // a listener of the agent that throws must not cost the pieces behind it: several are never handed over in here
    if (pieces.length > 1) this.#to.step.run.source.gate.touch();
    for (const piece of pieces) this.#to.arrived(piece);
  }
}

/**
 * A turn later. Two turns are what an answer has to wait: a write that is finished when the connection stands, and a
 * `setImmediate` of its callback, come before the answer without us, since the request has only gone out by then.
 */
function later(fn: () => void): () => void {
  return () => void live(() => originals.setImmediate(fn));
}

/** The event after which a socket can be used; null if it can already. */
function readyEvent(socket: net.Socket): "connect" | "secureConnect" | null {
  if ((socket as { secureConnecting?: boolean }).secureConnecting === true) return "secureConnect";
  return socket.connecting ? "connect" : null;
}

/** An agent of Node's own kind writes nothing into a request; others (proxies) rewrite it while they connect. */
export function isPlainAgent(agent: unknown): boolean {
  const { addRequest, createSocket } = nodeHttp.Agent.prototype as unknown as Record<string, unknown>;
  const given = agent as Record<string, unknown> | null | undefined;
  return (
    given === null ||
    given === undefined ||
    (given["addRequest"] === addRequest && given["createSocket"] === createSocket)
  );
}
