import type net from "node:net";
import type { DecidedAnswer } from "../../source/answer.ts";
import type { WireHead } from "./http-head.ts";

/** Where the shell of an `http` exchange gets its answer from: the network, or a record. */
export interface HttpSource {
  /** null before a connection is there, and in a replay */
  readonly real: net.Socket | null;
  /** Finds a connection. False: the request must not be written yet; the source attaches it later. */
  start(): boolean;
  send(bytes: Buffer): void;
  /** Of a held request, once it is whole: how it is answered. */
  decided?(answer: DecidedAnswer, head: WireHead | null): void;
  /** the request waits for a 100 */
  expects(): void;
  /** the piece that was offered last is being delivered */
  delivered(): void;
  /** the agent does not keep up */
  enough(): void;
  wanted(): void;
  /** the exchange is over and its connection may be used again */
  free(): void;
  /** Nobody wants more. Never waits, never throws. */
  stop(): void;
  /** Reads on for the record, then calls `done`; false if there is nothing to read. */
  drain(done: () => void): boolean;
}
