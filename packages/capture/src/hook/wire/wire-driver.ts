import type { Duplex } from "node:stream";
import type { AnyFunction, HookedFile } from "../hooked-file.ts";
import type { WireStream } from "./wire-stream.ts";

/** What a program writes to its server, cut at the places where it waits for an answer. */
export interface WireRequest {
  /**
   * `open`: begins the session, and is answered once it can be used; `call`: has one answer; `part`: has none, and goes to the
   * server as it is; `withheld`: has none, and goes nowhere; `end`: the server closes the connection; `unknown`: no answer to
   * it can be read, nor to what follows
   */
  readonly kind: "open" | "call" | "part" | "withheld" | "end" | "unknown";
  /** name of the step */
  readonly name: string;
  /** compared by a replay; without secrets of the session */
  readonly args: readonly unknown[];
  readonly bytes: Buffer;
  /** of `open`: what else tells servers, or what they show, apart */
  readonly target?: Readonly<Record<string, string | number>>;
  /** of `call`: the answer that the session knows already, so that the server is not asked */
  readonly answered?: { readonly value: unknown };
}

/** What comes from the server, cut into answers. */
export type WireMessage =
  | {
      /** of the oldest request that has none; `failure`: the error that the server gives instead of what it was asked */
      readonly kind: "answer";
      readonly value: unknown;
      readonly bytes: Buffer;
      readonly failure?: { readonly message: string; readonly code?: string };
    }
  /** sent by the server by itself */
  | { readonly kind: "incoming"; readonly value: unknown; readonly bytes: Buffer }
  /** part of the authentication, in which the program's own driver takes part */
  | { readonly kind: "handshake"; readonly bytes: Buffer };

/**
 * Reads both directions of one connection. The bytes of the requests are what was written, and those of the messages what was
 * read, without a gap. All methods may throw: the connection then goes on without a record.
 */
export interface WireSession {
  /** what the program writes; requests as they become whole */
  write(chunk: Buffer): Iterable<WireRequest>;
  /** what the server sends */
  read(chunk: Buffer): Iterable<WireMessage>;
  /** the bytes of a recorded answer to this request, or of what the server had sent by itself (null) */
  encode(value: unknown, request: WireRequest | null): Buffer;
}

/** A real connection. Its stream can be written to from now on. */
export interface WireLink {
  readonly stream: Duplex;
  /** resolves once it is connected, rejects where it cannot be; absent: it is */
  readonly connected?: Promise<void>;
  /** of a server that speaks first: what it said, as a record may hold it and as the program reads it */
  readonly opened?: { readonly value: unknown; readonly bytes: Buffer };
  /** calls `closed` once: with the error that ended the connection, or with null */
  onClose(closed: (error: Error | null) => void): void;
}

export interface AttachedWire {
  /** where the server is */
  readonly target: Readonly<Record<string, string | number>>;
  /** opens the real connection, up to where the first request can be written */
  open(): Promise<WireLink>;
  /**
   * The program connects the stream, and writes once the stream has emitted these events and given out what the server has
   * said first. absent: it is told at once that the stream is connected, and its first request opens the session.
   */
  readonly connects?: readonly string[];
  /** what the driver's method gives, which then does not run; absent: it runs */
  readonly result?: { readonly value: unknown };
}

/** A class of a driver whose instances connect to a server by writing to a stream. */
export interface WireDriver {
  /** name of the kind of database, as in OpenTelemetry's `db.system.name` */
  readonly system: string;
  /** methods that connect, those of them that the class has */
  readonly methods: readonly string[];
  /** puts `stream` in the place of the instance's own, before `real`, the method, runs */
  attach(instance: object, given: readonly unknown[], stream: WireStream, real: AnyFunction): AttachedWire;
  session(): WireSession;
  /** methods that keep a function for later, which is then to run in the frame of their caller */
  readonly queues: readonly WireQueue[];
}

export type Callable = (this: unknown, ...args: never[]) => unknown;
export type BindFrame = <F extends Callable>(fn: F) => F;
export type BindTurn = <F extends Callable>(fn: F, later?: (result: unknown) => void) => F;

export interface WireQueue extends HookedFile {
  readonly method: string;
  /** `bind`: as `bindFrame`; `bindTurn`: as the function of this name */
  around(real: AnyFunction, bind: BindFrame, bindTurn: BindTurn): AnyFunction;
}
