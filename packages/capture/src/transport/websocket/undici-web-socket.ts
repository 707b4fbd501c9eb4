import type { HeaderPairs } from "@reenact/envelope";
import type { Duplex } from "node:stream";
import type { RunFrame } from "../../run/context.ts";
import type { DispatchHandler, ParsedHeaders, RawHeaders } from "../undici/undici-handler.ts";
import { tellHandler } from "../undici/undici-handler.ts";
import { pairsOf } from "../undici/undici-live.ts";
import { type HandshakeRequest, type LiveHandshake, servedHeaders } from "./handshake.ts";
import { WebSocketConnection, type WebSocketDial } from "./web-socket-connection.ts";

/** Makes a call of an undici dispatcher that is to become a WebSocket a connection of ours. */
export function undiciWebSocket(
  frame: RunFrame | null,
  request: HandshakeRequest,
  handler: DispatchHandler,
  parse: (raw: RawHeaders) => ParsedHeaders,
  real: (handler: DispatchHandler) => unknown,
): void {
  const connection = new WebSocketConnection(frame, request, () => dial(real));
  const { stream } = connection;
  const told = tellHandler(handler, parse, (reason) => {
    told.fail(reason);
    stream.destroy();
  });
  const failed = (error: unknown): void => told.fail(error);
  stream.once("error", failed);
  told.start();
  void connection.open((answer) => {
    stream.removeListener("error", failed);
    const raw = servedHeaders(answer, request.headers)
      .flat()
      .map((text) => Buffer.from(text, "latin1"));
    if (answer.status === 101) return told.upgrade(101, raw, stream);
    told.head(answer.status, raw, answer.reason);
    told.end([]);
  });
}

function dial(real: (handler: DispatchHandler) => unknown): WebSocketDial {
  const { promise, resolve, reject } = Promise.withResolvers<LiveHandshake>();
  promise.catch(() => {});
  let abort: (reason: unknown) => void = () => {};
  const upgraded = (status: number, headers: HeaderPairs, socket: Duplex): void =>
    resolve({ status, reason: "", headers, socket, first: Buffer.alloc(0) });
  const refused = (status: number, headers: HeaderPairs, reason: string): void => {
    if (status >= 200) resolve({ status, reason, headers, socket: null, first: Buffer.alloc(0) });
  };
  real({
    onConnect: (stop) => void (abort = stop),
    onUpgrade: (status, raw, socket) => upgraded(status, pairsOf(raw), socket),
    onHeaders: (status, raw, _, reason) => refused(status, pairsOf(raw), reason),
    onData: () => true,
    onComplete: () => {},
    onError: reject,
    onRequestStart: (controller) => void (abort = (reason) => controller.abort(reason)),
    onRequestUpgrade: (controller, status, headers, socket) =>
      upgraded(status, pairsOf(controller.rawHeaders ?? Object.entries(headers).flat()), socket),
    onResponseStart: (controller, status, headers, reason) =>
      refused(status, pairsOf(controller.rawHeaders ?? Object.entries(headers).flat()), reason),
    onResponseData: () => {},
    onResponseEnd: () => {},
    onResponseError: (_, error) => reject(error as Error),
  });
  return { answer: promise, stop: () => abort(new Error("the program does not wait any more")) };
}
