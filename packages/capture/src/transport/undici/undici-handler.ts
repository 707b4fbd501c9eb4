import type { Duplex } from "node:stream";

/** A flat list of names and values, as undici has them from the wire. */
export type RawHeaders = readonly (Buffer | string | readonly (Buffer | string)[])[];

/** What undici tells of a call: in the words of its versions up to 7, in those from 7 on, or in both. */
export interface DispatchHandler {
  onConnect?(abort: (reason: unknown) => void): unknown;
  onHeaders?(status: number, raw: RawHeaders, resume: () => void, statusText: string): unknown;
  onData?(chunk: Uint8Array<ArrayBuffer>): unknown;
  onComplete?(trailers: RawHeaders | null): unknown;
  onError?(error: unknown): unknown;
  onUpgrade?(status: number, raw: RawHeaders, socket: Duplex): unknown;
  onRequestUpgrade?(controller: Controller, status: number, headers: ParsedHeaders, socket: Duplex): unknown;
  onRequestStart?(controller: Controller, context: unknown): unknown;
  onResponseStart?(controller: Controller, status: number, headers: ParsedHeaders, statusText: string): unknown;
  onResponseData?(controller: Controller, chunk: Uint8Array<ArrayBuffer>): unknown;
  onResponseEnd?(controller: Controller, trailers: ParsedHeaders): unknown;
  onResponseError?(controller: Controller, error: unknown): unknown;
}

/** By lower-case name. */
export type ParsedHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Controller {
  rawHeaders?: RawHeaders | null;
  rawTrailers?: RawHeaders | null;
  readonly paused: boolean;
  readonly aborted: boolean;
  readonly reason: unknown;
  pause(): void;
  resume(): void;
  abort(reason: unknown): void;
}

export interface ToldHandler {
  start(): void;
  head(status: number, raw: RawHeaders, reason: string): void;
  data(chunk: Uint8Array<ArrayBuffer>): void;
  /** the connection has become another protocol, in place of head, data and end */
  upgrade(status: number, raw: RawHeaders, socket: Duplex): void;
  end(trailers: RawHeaders): void;
  fail(error: unknown): void;
  /** Settles when the handler takes more. Throws the reason for which it has aborted. */
  go(): Promise<void> | null;
}

/** Speaks to the agent's handler in its own words. What a callback throws aborts the call, as in undici. */
export function tellHandler(
  handler: DispatchHandler,
  parse: (raw: RawHeaders) => ParsedHeaders,
  onAbort: (reason: unknown) => void,
): ToldHandler {
  let paused = false;
  let aborted = false;
  let reason: unknown = null;
  let wake: (() => void) | null = null;
  const resume = (): void => {
    paused = false;
    wake?.();
  };
  const abort = (why: unknown): void => {
    if (aborted) return;
    aborted = true;
    reason = why;
    onAbort(why);
    wake?.();
  };
  const controller: Controller = {
    rawHeaders: null,
    rawTrailers: null,
    get paused() {
      return paused;
    },
    get aborted() {
      return aborted;
    },
    get reason() {
      return reason;
    },
    pause: () => void (paused = true),
    resume,
    abort,
  };
  const isNew = typeof handler.onRequestStart === "function";
  const guarded = (call: () => unknown): void => {
    try {
      if (call() === false && !isNew) paused = true;
    } catch (error) {
      abort(error);
    }
  };
  const fail = (error: unknown): void =>
    void (isNew ? handler.onResponseError?.(controller, error) : handler.onError?.(error));
  return {
    start: () => (isNew ? handler.onRequestStart?.(controller, null) : handler.onConnect?.(abort)),
    head: (status, raw, text) =>
      guarded(() => {
        controller.rawHeaders = raw;
        return isNew
          ? handler.onResponseStart?.(controller, status, parse(raw), text)
          : handler.onHeaders?.(status, raw, resume, text);
      }),
    data: (chunk) => guarded(() => (isNew ? handler.onResponseData?.(controller, chunk) : handler.onData?.(chunk))),
    upgrade: (status, raw, socket) =>
      guarded(() => {
        controller.rawHeaders = raw;
        return isNew
          ? handler.onRequestUpgrade?.(controller, status, parse(raw), socket)
          : handler.onUpgrade?.(status, raw, socket);
      }),
    end(raw) {
      controller.rawTrailers = raw;
      try {
        if (isNew) handler.onResponseEnd?.(controller, parse(raw));
        else handler.onComplete?.(raw);
      } catch (error) {
        fail(error);
      }
    },
    fail,
    go() {
      if (aborted) throw reason;
      return paused ? new Promise((resolve) => (wake = resolve)) : null;
    },
  };
}
