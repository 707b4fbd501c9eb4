import { Duplex } from "node:stream";
import { isLive, type RunFrame, stepFrame } from "../../run/context.ts";

/** What the stream hands its calls to. */
export interface WireEnd {
  connect(): void;
  /** `writer`: the code that has written it. Resolves once the bytes are taken */
  write(chunk: Buffer, writer: WireWriter): Promise<void> | undefined;
  /** the program has ended its side; resolves once the connection is closed */
  end(): Promise<void>;
  destroy(): void;
  /** the program's side has room again */
  wanted?(): void;
  setReferenced(isReferenced: boolean): void;
  setTimeout(ms: number): void;
}

/** The code that has written bytes. What has the same writer is one request. */
export interface WireWriter {
  /** null: outside of every run */
  readonly frame: RunFrame | null;
  /** it is the recorder, or a library whose work is none of the program's: no run is told of it */
  readonly isOwn: boolean;
}

const UNKNOWN: WireWriter = { frame: null, isOwn: false };
const writers = new WeakMap<Uint8Array, WireWriter>();

/** The code that calls this. */
export function wireWriter(): WireWriter {
  const isOwn = isLive();
  return { frame: isOwn ? null : stepFrame(), isOwn };
}

/** For drivers whose queues write later: whose these bytes are, when they come to the stream. */
export function markWriter(bytes: Uint8Array, writer: WireWriter): void {
  writers.set(bytes, writer);
}

/** Takes the place of a driver's socket. It has those methods of a socket that drivers call, and no handle of its own. */
export class WireStream extends Duplex {
  /** as of a socket: between `connect` and the connection */
  connecting = false;
  #end: WireEnd | null = null;

  constructor() {
    super({ allowHalfOpen: false, emitClose: true, decodeStrings: true });
  }

  /** Once, before the stream is used. */
  bind(end: WireEnd): void {
    this.#end = end;
  }

  connect(): this {
    this.connecting = true;
    this.#end?.connect();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  /** As of a socket: 0 ends it. */
  setTimeout(ms: number, listener?: () => void): this {
    if (listener !== undefined) {
      if (ms === 0) this.removeListener("timeout", listener);
      else this.once("timeout", listener);
    }
    this.#end?.setTimeout(ms);
    return this;
  }

  ref(): this {
    this.#end?.setReferenced(true);
    return this;
  }

  unref(): this {
    this.#end?.setReferenced(false);
    return this;
  }

  /** Notes who writes: bytes that wait are handed on while other code runs. */
  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return this.#writeAny([chunk, ...rest]);
    const [first] = rest;
    const encoding = typeof first === "string" ? (first as BufferEncoding) : "utf8";
    // a view of its own: the same bytes may be written by others
    const bytes =
      typeof chunk === "string"
        ? Buffer.from(chunk, encoding)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const marked = typeof chunk === "string" ? undefined : writers.get(chunk);
    writers.set(bytes, marked ?? wireWriter());
    return this.#writeAny([bytes, ...(typeof first === "string" ? rest.slice(1) : rest)]);
  }

  #writeAny(args: unknown[]): boolean {
    return Reflect.apply(super.write as (...args: unknown[]) => boolean, this, args);
  }

  override _read(): void {
    this.#end?.wanted?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const taken = this.#end?.write(chunk, writers.get(chunk) ?? UNKNOWN);
    if (taken === undefined) done();
    else void taken.finally(done);
  }

  /** Chunks of one writer are one request, as they would be one packet. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const taken: Promise<void>[] = [];
    for (let at = 0; at < chunks.length;) {
      const writer = writers.get(chunks[at]?.chunk as Buffer);
      const start = at++;
      while (at < chunks.length && writers.get(chunks[at]?.chunk as Buffer) === writer) at++;
      const own = chunks.slice(start, at).map(({ chunk }) => chunk);
      const bytes = own.length === 1 ? (own[0] as Buffer) : Buffer.concat(own);
      const waits = this.#end?.write(bytes, writer ?? UNKNOWN);
      if (waits !== undefined) taken.push(waits);
    }
    if (taken.length === 0) done();
    else void Promise.all(taken).finally(done);
  }

  override _final(done: () => void): void {
    done();
    void this.#end?.end().then(() => {
      this.push(null);
      this.destroy();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end?.destroy();
    done(error);
  }
}
