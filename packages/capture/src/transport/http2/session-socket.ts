import { constants } from "node:os";
import { isIP, type Socket as NetSocket } from "node:net";
import { decodeValue, encodeValue } from "@reenact/envelope";
import { recordedValue } from "../../ambient/recorded-value.ts";
import { guarded } from "../../fault/faults.ts";
import { recorder } from "../../run/recorder.ts";
import { live } from "../../run/context.ts";
import { originals } from "../../patch/originals.ts";

/** What the far end of a session's socket does. */
export interface SocketEnd {
  readonly secure: boolean;
  readonly server: { readonly host: string; readonly port: number };
  /** the real socket, once there is one; null in a replay */
  real(): NetSocket | null;
  sent(bytes: Buffer): void;
  /** the session writes no more */
  ended(): void;
  /** The session has let go of it. `closed` is to be called in a later turn. */
  destroyed(closed: () => void): void;
  referenced(yes: boolean): void;
}

/** A socket whose handle calls methods of its own, in JavaScript, where another one would call the system. */
interface StreamSocket extends NetSocket {
  readonly _handle: StreamHandle | null;
  doWrite(request: object, parts: Buffer[]): number;
  doShutdown(request: object): number;
  doClose(closed: () => void): void;
}

interface StreamHandle {
  readBuffer(bytes: Uint8Array): void;
  emitEOF(): void;
  finishWrite(request: object, status: number): void;
  finishShutdown(request: object, status: number): void;
}

export interface SessionSocket extends NetSocket {
  /** The connection stands: the session writes what it was given so far. */
  connected(): void;
  /** Bytes for the session, which reads them before this returns. */
  supply(bytes: Uint8Array): void;
  /** The other side has ended. */
  supplyEnd(): void;
}

export type MakeSessionSocket = (end: SocketEnd) => SessionSocket;

const CANCELED = -constants.errno.ECANCELED;
const ADDRESS = ["remoteAddress", "remotePort", "remoteFamily", "localAddress", "localPort", "localFamily"] as const;
const LOOPBACK: Readonly<Record<string, string | number>> = {
  remoteAddress: "127.0.0.1",
  remoteFamily: "IPv4",
  localAddress: "127.0.0.1",
  localFamily: "IPv4",
};
const TLS_FACTS: Readonly<Record<string, unknown>> = {
  encrypted: true,
  authorized: true,
  authorizationError: null,
  alpnProtocol: "h2",
};
const TLS_METHODS = [
  "getPeerCertificate",
  "getPeerX509Certificate",
  "getCipher",
  "getProtocol",
  "getSession",
  "getEphemeralKeyInfo",
  "isSessionReused",
];

/** Makes sockets that a session of HTTP/2 takes for connected ones of the system. `base`: Node's class of sockets over a stream. */
export function sessionSockets(base: new (stream: object) => object): MakeSessionSocket {
  const Base = base as new (stream: object) => StreamSocket;
  class Socket extends Base implements SessionSocket {
    readonly #end: SocketEnd;
    #write: object | null = null;
    #shutdown: object | null = null;

    constructor(end: SocketEnd) {
      super(withoutStream());
      this.#end = end;
      this.#setConnecting(true);
      const canned = { ...LOOPBACK, remotePort: end.server.port };
      for (const name of ADDRESS)
        Object.defineProperty(this, name, {
          configurable: true,
          get: () =>
            this.connecting ? undefined : end.real() === null ? Reflect.get(canned, name) : end.real()?.[name],
        });
      if (end.secure) addTls(this, end);
    }

    connected(): void {
      if (this.destroyed || !this.connecting) return;
      this.#setConnecting(false);
      this.emit("connect");
      this.emit("ready");
    }

    supply(bytes: Uint8Array): void {
      this._handle?.readBuffer(bytes);
    }

    supplyEnd(): void {
      this._handle?.emitEOF();
    }

    readStart(): number {
      return 0;
    }

    readStop(): number {
      return 0;
    }

    override doWrite(request: object, parts: Buffer[]): number {
      const handle = this._handle;
      if (handle === null) return 0;
      this.#write = request;
      this.#end.sent(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
      live(() => originals.setImmediate(() => this.#finishWrite(handle, 0)));
      return 0;
    }

    override doShutdown(request: object): number {
      const handle = this._handle;
      this.#shutdown = request;
      if (handle === null) return 0;
      this.#end.ended();
      live(() =>
        originals.setImmediate(() => {
          this.#finishWrite(handle, 0);
          this.#finishShutdown(handle, 0);
        }),
      );
      return 0;
    }

    override doClose(closed: () => void): void {
      const handle = this._handle;
      this.#end.destroyed(() => {
        if (handle !== null) {
          this.#finishWrite(handle, CANCELED);
          this.#finishShutdown(handle, CANCELED);
        }
        closed();
      });
    }

    override setNoDelay(on?: boolean): this {
      this.#end.real()?.setNoDelay?.(on);
      return this;
    }

    override setKeepAlive(...args: unknown[]): this {
      const real = this.#end.real();
      if (typeof real?.setKeepAlive === "function") Reflect.apply(real.setKeepAlive, real, args);
      return this;
    }

    override ref(): this {
      this.#end.referenced(true);
      return this;
    }

    override unref(): this {
      this.#end.referenced(false);
      return this;
    }

    #finishWrite(handle: StreamHandle, status: number): void {
      const request = this.#write;
      this.#write = null;
      if (request !== null) handle.finishWrite(request, status);
    }

    #finishShutdown(handle: StreamHandle, status: number): void {
      const request = this.#shutdown;
      this.#shutdown = null;
      if (request !== null) handle.finishShutdown(request, status);
    }

    #setConnecting(yes: boolean): void {
      (this as { connecting: boolean }).connecting = yes;
    }
  }
  return (end) => new Socket(end);
}

/** The stream below Node's class, which the methods above put out of use. */
function withoutStream(): object {
  const none = (): void => {};
  return { pause: none, resume: none, on: none, once: none, readable: true, writable: true };
}

function addTls(socket: NetSocket, end: SocketEnd): void {
  const real = (): Record<string, unknown> | null => end.real() as Record<string, unknown> | null;
  const servername = isIP(end.server.host) === 0 && end.server.host;
  for (const [name, fact] of Object.entries({ ...TLS_FACTS, servername }))
    Object.defineProperty(socket, name, { configurable: true, get: () => real()?.[name] ?? fact });
  for (const name of TLS_METHODS) {
    const value = (...args: unknown[]): unknown => {
      const method = real()?.[name];
      let answer: unknown = {};
      // what resumes a session is a secret
      if (name === "getSession") return typeof method === "function" ? (method.apply(end.real(), args) as unknown) : {};
      // a replay has no peer: what the recorded one said
      const text = recordedValue(
        "M",
        () => {
          if (typeof method === "function") answer = live(() => method.apply(end.real(), args) as unknown);
          return encodeValue(answer, { call: live }).text;
        },
        true,
      );
      return recorder.isReplay ? guarded("http2", {}, () => decodeValue(text)) : answer;
    };
    Object.defineProperty(socket, name, { configurable: true, writable: true, value });
  }
}
