import type net from "node:net";
import type { Frame } from "./frames.ts";
import type { Http2Exchange } from "./http2-exchange.ts";

/** Where the shell of an HTTP/2 connection gets its answers from: the network, or a record. */
export interface Http2Source {
  /** null before a connection is there, and in a replay */
  readonly real: net.Socket | null;
  /** the program has made this request */
  opened(exchange: Http2Exchange): void;
  send(bytes: Buffer): void;
  /** a frame of what was sent; `exchange`: whose it is */
  sent(frame: Frame, exchange: Http2Exchange | undefined): void;
  /** a part of this exchange has been delivered */
  delivered(exchange: Http2Exchange): void;
  /** the exchange is over on both sides */
  forget(exchange: Http2Exchange): void;
  /** a recorded event of the connection is due */
  replayed(detail: string): void;
  end(): void;
  destroy(): void;
}
