import net from "node:net";
import type { Duplex } from "node:stream";
import { live } from "../../run/context.ts";

/** What the far end of the pipe does. */
export interface PipeEnd {
  readonly secure: boolean;
  /** true: time-outs never come by themselves */
  isVirtual(): boolean;
  /** the real socket, once there is one; null in a replay */
  real(): net.Socket | null;
  sent(bytes: Buffer): void;
  /** the agent's side has room again */
  wanted(): void;
  /** the agent's side is done with the connection and it may be used again */
  freed(): void;
  /** The agent's side has been destroyed. A real handle closes in a later turn: `closed` is to be called in one. */
  destroyed(closed: () => void): void;
  /** A time-out of so many ms runs from now on, until it is armed anew. Where it is real, `idle` says when it is over. */
  armed(ms: number | undefined): void;
  idle(): void;
  referenced(yes: boolean): void;
}

const ADDRESS = ["remoteAddress", "remotePort", "remoteFamily", "localAddress", "localPort", "localFamily"] as const;
const CANNED: Record<string, string | number> = {
  remoteAddress: "127.0.0.1",
  remoteFamily: "IPv4",
  localAddress: "127.0.0.1",
  localFamily: "IPv4",
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
const TLS_FACTS: Record<string, unknown> = {
  encrypted: true,
  authorized: true,
  authorizationError: null,
  alpnProtocol: false,
};

/** The socket that a client request gets, in record and in replay: it has no handle, only a far end of ours. Stacks name its class. */
class Socket extends net.Socket {
  readonly #end: PipeEnd;
  #unanswered: (() => void)[] = [];
  #expired = false;

  constructor(end: PipeEnd) {
    super();
    this.#end = end;
    this.#setConnecting(true);
    addAddress(this, end);
    if (end.secure) addTlsProperties(this, end);
    this.on("free", () => end.freed());
  }

  /** The connection stands: what was written goes through, as with a real socket. */
  connected(host: string): void {
    if (!this.connecting || this.destroyed) return;
    if (net.isIP(host) === 0)
      this.emit("lookup", null, this.remoteAddress ?? "127.0.0.1", this.remoteFamily === "IPv6" ? 6 : 4, host);
    this.#setConnecting(false);
    this.emit("connect");
    this.emit("ready");
    if (this.#end.secure) this.emit("secureConnect");
    const done = this.#unanswered;
    this.#unanswered = [];
    for (const callback of done) callback();
  }

  /** Bytes for the agent's side; null: the other side has ended. False: it has enough for now. */
  supply(bytes: Buffer | null): boolean {
    this.#active();
    return this.push(bytes);
  }

  /** The time-out that `armed` announced. */
  expire(): void {
    this.#expired = true;
    this.emit("timeout");
  }

  override _read(): void {
    this.#end.wanted();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#active();
    this.#end.sent(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    this.#answer(callback);
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#active();
    this.#end.sent(
      Buffer.concat(
        chunks.map(({ chunk, encoding }) => (typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk)),
      ),
    );
    this.#answer(callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#unanswered = [];
    this.#setConnecting(false);
    if (!this.#end.isVirtual() && this.timeout) live(() => super.setTimeout(0));
    callback(error);
    this.#end.destroyed(() => void this.emit("close", error !== null));
  }

  override setTimeout(ms: number, callback?: () => void): this {
    if (this.destroyed) return this;
    this.#expired = false;
    if (this.#end.isVirtual()) {
      (this as { timeout?: number | undefined }).timeout = ms;
      if (callback !== undefined && ms === 0) this.removeListener("timeout", callback);
      else if (callback !== undefined) this.once("timeout", callback);
    } else live(() => super.setTimeout(ms, callback));
    this.#end.armed(this.timeout);
    return this;
  }

  /** A time-out that was set while it never came by itself runs from now on. */
  startTimeout(): void {
    const { timeout } = this;
    if (timeout) live(() => super.setTimeout(timeout));
  }

  /** Node calls it when the time-out is over. */
  _onTimeout(): void {
    this.#end.idle();
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

  #answer(callback: () => void): void {
    if (this.connecting) this.#unanswered.push(callback);
    else callback();
  }

  #active(): void {
    if (!this.timeout) return;
    if (this.#expired) {
      this.#expired = false;
      this.#end.armed(this.timeout);
    }
    if (!this.#end.isVirtual()) live(() => (this as unknown as { _unrefTimer(): void })._unrefTimer());
  }

  #setConnecting(yes: boolean): void {
    (this as { connecting: boolean }).connecting = yes;
  }
}

/** The addresses of a connection are those of the real one. */
export function addAddress(socket: Duplex, end: Pick<PipeEnd, "real">): void {
  for (const name of ADDRESS) {
    Object.defineProperty(socket, name, {
      configurable: true,
      get: () => (end.real() === null ? CANNED[name] : end.real()?.[name]),
    });
  }
}

export function addTlsProperties(socket: Duplex, end: Pick<PipeEnd, "real">): void {
  const real = (): Record<string, unknown> | null => end.real() as unknown as Record<string, unknown> | null;
  for (const [name, fact] of Object.entries(TLS_FACTS)) {
    Object.defineProperty(socket, name, { configurable: true, get: () => real()?.[name] ?? fact });
  }
  for (const name of TLS_METHODS) {
    const value = (...args: unknown[]): unknown => {
      const method = real()?.[name];
      return typeof method === "function" ? (method.apply(end.real(), args) as unknown) : {};
    };
    Object.defineProperty(socket, name, { configurable: true, writable: true, value });
  }
}

export { Socket as PipeSocket };
