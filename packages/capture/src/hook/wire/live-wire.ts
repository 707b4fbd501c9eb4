import { guarded } from "../../fault/faults.ts";
import { UnreadBytes } from "./unread-bytes.ts";
import type { AttachedWire, WireLink, WireMessage, WireRequest, WireSession } from "./wire-driver.ts";

/** Why a request has no answer: the connection ended. */
export class WireClosed extends Error {
  override readonly name = "WireClosed";
  constructor() {
    super("the connection was closed before the answer came");
  }
}

/** An answer that says that the server did not do what it was asked. In a replay it is known by its name. */
export class WireFailure extends Error {
  override readonly name = "DatabaseError";
  declare readonly code?: string;
  /** as the protocol of the database has it */
  readonly answer: unknown;
  constructor({ message, code }: { readonly message: string; readonly code?: string }, answer: unknown) {
    super(message);
    if (code !== undefined) this.code = code;
    this.answer = answer;
    // where the recorder reads answers says nothing of the program
    this.stack = `${this.name}: ${message}`;
  }
}

/** The answer in such an error; undefined: it is another one. */
export function failedAnswer(error: unknown): { readonly answer: unknown } | undefined {
  return error instanceof Error && error.name === "DatabaseError" && "answer" in error ? error : undefined;
}

/** Why a connection could not be opened: it took longer than the program waits. In a replay it is known by its name. */
export class WireIdle extends Error {
  override readonly name = "WireIdle";
  constructor() {
    super("the connection was not made in time");
  }
}

export function isWireIdle(error: unknown): boolean {
  return error instanceof Error && error.name === "WireIdle";
}

export function isWireClosed(error: unknown): boolean {
  return error instanceof Error && error.name === "WireClosed";
}

/** What a real connection brings by itself. */
export interface LiveWireEvents {
  incoming(value: unknown, bytes: Buffer): void;
  handshake(bytes: Buffer): void;
  closed(error: Error | null): void;
  /** nothing was read or written for as long as the program waits */
  idle(): void;
  /** what was read cannot be cut into answers: the rest of the connection comes as it is */
  unreadable(bytes: Buffer): void;
}

interface Pending {
  readonly request: WireRequest;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The real connection of a recording: sends requests, and gives out answers and their bytes. All of it is our own work. */
export class LiveWire {
  readonly #attached: AttachedWire;
  readonly #session: WireSession;
  readonly #events: LiveWireEvents;
  readonly #pending: Pending[] = [];
  /** bytes of answers, as they came */
  readonly #bytes = new WeakMap<WireRequest, Buffer>();
  #link: WireLink | null = null;
  #isRaw = false;
  #opened: Promise<void> | null = null;
  /** counts up to the next `idle` */
  #idle: NodeJS.Timeout | null = null;
  #outOfTime: (() => void) | null = null;
  readonly #unread = new UnreadBytes();
  #isReferenced = true;
  #isClosed = false;
  #error: Error | null = null;
  #ended = (): void => {};
  readonly #end = new Promise<void>((resolve) => (this.#ended = resolve));

  constructor(attached: AttachedWire, session: WireSession, events: LiveWireEvents) {
    this.#attached = attached;
    this.#session = session;
    this.#events = events;
  }

  /** the bytes with which this request was answered */
  bytesOf(request: WireRequest): Buffer | undefined {
    return this.#bytes.get(request);
  }

  /** What the server has said first, which answers this request; null: nothing. */
  openedFor(request: WireRequest): unknown {
    const opened = this.#link?.opened;
    if (opened === undefined) return null;
    this.#bytes.set(request, opened.bytes);
    return opened.value;
  }

  /** Resolves once the connection is open; one that is being opened, or was, is not opened again. */
  open(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<void> {
    const isIdle = new Promise<never>((_, reject) => (this.#outOfTime = () => reject(new WireIdle())));
    try {
      await Promise.race([this.#connect(), isIdle]);
    } catch (error) {
      this.#closed(error as Error);
      throw error;
    } finally {
      this.#outOfTime = null;
    }
  }

  async #connect(): Promise<void> {
    const link = await this.#attached.open();
    this.#link = link;
    link.onClose((error) => this.#closed(error));
    link.stream.on("data", (chunk: Buffer) => this.#read(chunk));
    if (!this.#isReferenced) reference(link, false);
    if (this.#isClosed) link.stream.destroy();
    await link.connected;
  }

  /** Says `idle` once nothing was read or written for so many milliseconds. 0: never */
  setTimeout(ms: number): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (ms <= 0 || this.#isClosed) return;
    const idle = (): void => (this.#outOfTime === null ? this.#events.idle() : this.#outOfTime());
    // as of a socket: it keeps no program alive
    this.#idle = setTimeout(idle, ms).unref();
  }

  ask(request: WireRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.#error ?? new WireClosed());
      this.#pending.push({ request, resolve, reject });
      void this.write(request.bytes);
    });
  }

  /** Resolves once more can be taken; undefined: at once. Where the connection is gone, that is said by its end. */
  write(bytes: Buffer): Promise<void> | undefined {
    this.#idle?.refresh();
    const stream = this.#link?.stream;
    if (stream === undefined || !stream.writable || stream.write(bytes)) return undefined;
    return new Promise((resolve) => {
      stream.once("drain", resolve);
      stream.once("close", resolve);
    });
  }

  /** Resolves once the connection is closed. */
  end(): Promise<void> {
    if (this.#link === null) this.#closed(null);
    else this.#link.stream.end();
    return this.#end;
  }

  destroy(): void {
    this.#isClosed = true;
    this.setTimeout(0);
    this.#link?.stream.destroy();
    this.#ended();
  }

  /** What follows is not read any more. */
  goRaw(): void {
    if (this.#isRaw) return;
    this.#isRaw = true;
    const rest = this.#unread.take();
    if (rest.length > 0) this.#events.unreadable(rest);
  }

  setReferenced(isReferenced: boolean): void {
    this.#isReferenced = isReferenced;
    if (this.#link !== null) reference(this.#link, isReferenced);
  }

  #read(chunk: Buffer): void {
    this.#idle?.refresh();
    if (this.#isRaw) return this.#events.unreadable(chunk);
    this.#unread.add(chunk);
    try {
      for (const message of this.#session.read(chunk)) {
        this.#unread.drop(message.bytes.length);
        if (message.kind === "handshake") this.#events.handshake(message.bytes);
        else if (message.kind === "incoming") this.#events.incoming(message.value, message.bytes);
        else this.#answered(message);
      }
    } catch (error) {
      sayFault(error);
      this.#isRaw = true;
      this.#events.unreadable(this.#unread.take());
    }
  }

  #answered({ value, bytes, failure }: Extract<WireMessage, { kind: "answer" }>): void {
    const pending = this.#pending.shift();
    if (pending === undefined) return this.#events.incoming(value, bytes);
    this.#bytes.set(pending.request, bytes);
    if (failure === undefined) pending.resolve(value);
    else pending.reject(new WireFailure(failure, value));
  }

  #closed(error: Error | null): void {
    if (this.#isClosed) return this.#ended();
    this.#isClosed = true;
    this.setTimeout(0);
    this.#error = error;
    this.#ended();
    for (const { reject } of this.#pending.splice(0)) reject(error ?? new WireClosed());
    this.#events.closed(error);
  }
}

/** Counts a fault of the code that reads a connection, and says it once. */
export function sayFault(error: unknown): void {
  guarded("hook", undefined, () => {
    throw error;
  });
}

function reference({ stream }: WireLink, isReferenced: boolean): void {
  const socket = stream as { ref?(): void; unref?(): void };
  if (isReferenced) socket.ref?.();
  else socket.unref?.();
}
