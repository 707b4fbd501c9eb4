/** A stream that is sent is read so far ahead of the network; further only as fast as that takes it. */
const AHEAD = 1024 * 1024;

type Chunks = AsyncIterable<Uint8Array | string>;

/**
 * The body of a call that its agent hands over as a stream. We read it, in the agent's own context and from the turn of
 * the call on: what its source draws, reads and waits for stands at one place in the record and in a replay, whatever
 * the pace of the network.
 */
export class SentStream {
  readonly #body: Chunks;
  readonly #chunks: Uint8Array[] = [];
  readonly #whole = Promise.withResolvers<Uint8Array>();
  #taken = 0;
  #ahead = 0;
  #begun = false;
  #over = false;
  #left = false;
  #taker = false;
  #failure: { error: unknown } | null = null;
  #more: (() => void) | null = null;
  #room: (() => void) | null = null;

  constructor(body: Chunks) {
    this.#body = body;
  }

  /** all that was read, once its source has ended, failed or was left */
  get whole(): Promise<Uint8Array> {
    return this.#whole.promise;
  }

  /** with what its source has failed; null: it has not */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /** Starts to read. `taken`: a consumer will iterate over `chunks()`, and reading waits for it. */
  begin(taken: boolean): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#taker = taken;
    void this.#read();
  }

  /** Reads no further, and tells the source. */
  leave(): void {
    this.#left = true;
    this.#room?.();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    this.begin(true);
    try {
      for (;;) {
        const chunk = this.#chunks[this.#taken];
        if (chunk !== undefined) {
          this.#taken++;
          this.#ahead -= chunk.length;
          this.#room?.();
          yield chunk;
        } else if (this.#failure !== null) throw this.#failure.error;
        else if (this.#over) return;
        else await new Promise<void>((resolve) => (this.#more = resolve));
      }
    } finally {
      this.leave();
    }
  }

  async #read(): Promise<void> {
    try {
      // its source's code does not run inside the call
      await Promise.resolve();
      for await (const chunk of this.#body) {
        // a copy: the bytes are their source's own, which may use them again
        const bytes = new Uint8Array(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        this.#chunks.push(bytes);
        this.#ahead += bytes.length;
        this.#more?.();
        while (this.#taker && this.#ahead > AHEAD && !this.#left)
          await new Promise<void>((resolve) => (this.#room = resolve));
        if (this.#left) break;
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#over = true;
    this.#more?.();
    this.#whole.resolve(Buffer.concat(this.#chunks));
  }
}
