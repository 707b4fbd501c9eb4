import { Duplex } from "node:stream";

/** What the stream hands its calls to. */
export interface WireEnd {
  connect(): void;
  /** resolves once the bytes are taken */
  write(chunk: Buffer): Promise<void> | undefined;
  /** the program has ended its side; resolves once the connection is closed */
  end(): Promise<void>;
  destroy(): void;
  setReferenced(isReferenced: boolean): void;
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

  /** A connection in a record is never idle for too long. */
  setTimeout(): this {
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

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const taken = this.#end?.write(chunk);
    if (taken === undefined) done();
    else void taken.finally(done);
  }

  /** What was written in one go is one request, as it would be one packet. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "utf8", done);
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
