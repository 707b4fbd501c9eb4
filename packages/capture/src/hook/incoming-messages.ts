/** What a server sends by itself, the end of the connection, or an error of the transport. */
export type Incoming = { readonly message: unknown } | { readonly closed: true } | { readonly error: unknown };

/** The handlers of a program, as they are at the time. */
export interface Handlers {
  onmessage?: ((message: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: unknown) => void) | undefined;
}

/** A queue of what has come over one connection and was not yet given to the program. */
export class IncomingMessages {
  readonly #waiting: Incoming[] = [];
  #wake: (() => void) | null = null;
  #end = (): void => {};
  /** the program has been told that the connection is closed */
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  add(item: Incoming): void {
    this.#waiting.push(item);
    this.#wake?.();
    this.#wake = null;
  }

  /** Ends with the connection. */
  async *read(): AsyncGenerator<Incoming, void> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else {
        yield item;
        if ("closed" in item) return;
      }
    }
  }

  /** Calls the program's handlers with what comes, recorded or not. */
  async readBy(items: AsyncIterable<unknown>, handlers: Handlers): Promise<void> {
    try {
      for await (const item of items) {
        // the first value of a connection that is older than the run: what was exchanged before
        if (!("outside" in (item as object))) this.give(item as Incoming, handlers);
      }
    } catch (error) {
      // no record of the connection: the request that comes next says so
      handlers.onerror?.(error);
    }
  }

  give(item: Incoming, handlers: Handlers): void {
    try {
      if ("message" in item) handlers.onmessage?.(item.message);
      else if ("closed" in item) handlers.onclose?.();
      else handlers.onerror?.(item.error);
    } catch (error) {
      handlers.onerror?.(error);
    }
    if ("closed" in item) this.#end();
  }
}
