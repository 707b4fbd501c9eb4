import type net from "node:net";
import { guarded } from "../../fault/faults.ts";
import { originals } from "../../patch/originals.ts";
import { live } from "../../run/context.ts";
import { FrameReader } from "./frames.ts";
import type { Http2Connection } from "./http2-connection.ts";
import type { Http2Source } from "./http2-source.ts";

/** The network: bytes go through the agent's own kind of socket unchanged. All of it is our own work. */
export class LiveHttp2 implements Http2Source {
  readonly real: net.Socket;
  readonly #to: Http2Connection;
  readonly #frames = new FrameReader("server");
  #isRaw = false;
  #ended = false;

  /** Throws what connecting throws. */
  constructor(to: Http2Connection, connect: () => net.Socket) {
    this.#to = to;
    this.real = live(() => {
      const socket = connect();
      socket.on("data", this.#onData).on("error", this.#onError).on("close", this.#onEnd).on("end", this.#onEnd);
      const ready = readyEvent(socket);
      if (ready === null) originals.setImmediate(() => to.connected());
      else socket.once(ready, () => to.connected());
      return socket;
    });
  }

  send(bytes: Buffer): void {
    this.real.write(bytes);
  }

  opened(): void {}

  sent(): void {}

  delivered(): void {}

  forget(): void {}

  replayed(): void {}

  end(): void {
    this.real.end();
  }

  destroy(): void {
    this.#ended = true;
    this.real.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isRaw) return this.#to.pass(bytes);
    const before = this.#frames.rest;
    const frames = guarded("http2", null, () => this.#frames.feed(bytes));
    if (this.#frames.isOther) {
      this.#isRaw = true;
      return this.#to.failed(protocolError(), this.#frames.rest);
    }
    if (frames !== null) {
      for (const frame of frames) this.#to.arrived(frame);
      return;
    }
    this.#isRaw = true;
    this.#to.pass(Buffer.concat([before, bytes]));
  };

  readonly #onError = (error: Error): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#passRest();
    this.#to.failed(error);
  };

  readonly #onEnd = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#passRest();
    this.#to.failed(null);
  };

  /** Nothing more comes: the session gets what has come of a frame. */
  #passRest(): void {
    const { rest, partOfData } = this.#frames;
    if (this.#isRaw || rest.length === 0) return;
    if (partOfData === null) this.#to.pass(rest);
    else this.#to.arrived(partOfData);
  }
}

/** As Node words it. */
function protocolError(): Error {
  return Object.assign(new Error("Protocol error"), { code: "ERR_HTTP2_ERROR" });
}

/** The event after which a socket can be used; null if it can already. */
function readyEvent(socket: net.Socket): "connect" | "secureConnect" | null {
  const { secureConnecting, encrypted } = socket as { secureConnecting?: boolean; encrypted?: boolean };
  if (secureConnecting === true || (encrypted === true && socket.connecting)) return "secureConnect";
  return socket.connecting ? "connect" : null;
}
