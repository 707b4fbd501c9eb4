import type { HeaderPairs } from "@reenact/envelope";
import { guarded } from "../../fault/faults.ts";
import { isLive, stepFrame, type RunFrame } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { recogniseBy } from "../../span/recognise.ts";
import { isOwnPort } from "../own-ports.ts";
import { sentHeaders } from "../websocket/handshake.ts";
import { undiciWebSocket } from "../websocket/undici-web-socket.ts";
import { callFetch } from "../fetch/fetch.ts";
import type { OutgoingRequest } from "../request.ts";
import { SentStream } from "../sent-stream.ts";
import type { Head } from "../response.ts";
import type { SendRequest } from "../send-request.ts";
import { type DispatchHandler, type ParsedHeaders, type RawHeaders, tellHandler } from "./undici-handler.ts";
import { dispatchLive } from "./undici-live.ts";

export interface DispatchOptions {
  origin?: string | URL;
  path?: string;
  method?: string;
  query?: Record<string, string>;
  headers?: unknown;
  body?: unknown;
  upgrade?: unknown;
  maxRedirections?: number;
}

export type Dispatch = (this: object, options: DispatchOptions, handler: DispatchHandler) => boolean;
export type ParseHeaders = (raw: RawHeaders) => ParsedHeaders;

/**
 * Wraps the `dispatch` that `request`, `stream`, `pipeline` and all pools and agents of undici end in. Recorded once, at
 * the outermost. Upgrades to other protocols than WebSocket, and bodies of other kinds than bytes, text and streams, go past it as connections.
 */
export function watchDispatch(real: Dispatch, parse: ParseHeaders): Dispatch {
  return function dispatch(this: object, options, handler) {
    const frame = stepFrame();
    const isOpened =
      options?.upgrade === "websocket" &&
      guarded("websocket", false, () => {
        const opening = readOpening(this, options, frame);
        if (opening === null) return false;
        const sent = { ...options, headers: sentHeaders(opening.headers).flat() };
        undiciWebSocket(frame, opening, handler, parse, (told) => Reflect.apply(real, this, [sent, told]));
        return true;
      });
    if (isOpened) return true;
    const request = frame === null || typeof handler !== "object" ? null : readDispatch(this, options);
    if (frame === null || request === null || isPassed(frame, request))
      return Reflect.apply(real, this, [options, handler]);
    exchange(frame, request, handler, parse, (sent, told) => Reflect.apply(real, this, [sent, told]));
    return true;
  };
}

type ReadDispatch = Omit<OutgoingRequest, "signal" | "send"> & { options: DispatchOptions; sent(): unknown };

function exchange(
  frame: RunFrame,
  { options, sent, ...request }: ReadDispatch,
  handler: DispatchHandler,
  parse: ParseHeaders,
  real: (options: DispatchOptions, handler: DispatchHandler) => unknown,
): void {
  const stop = new AbortController();
  let trailers: RawHeaders = [];
  const told = tellHandler(handler, parse, (reason) => stop.abort(reason));
  told.start();
  const outgoing: OutgoingRequest = {
    ...request,
    dispatches: true,
    signal: stop.signal,
    send: (signal, instead, to) => [
      to ?? "",
      { signal, ...(instead === undefined ? {} : { body: instead as BodyInit }) },
    ],
  };
  // a length that the program has set is that of its own body
  const instead = (body: unknown, to: string): DispatchOptions => ({
    ...(to === "" ? options : addressed(options, to)),
    headers: request.headers.filter(([name]) => name !== "content-length").flat(),
    body,
  });
  const live: SendRequest = (to, { signal, body, redirect }) => {
    const own = body === undefined ? { ...options, body: sent() } : instead(body, typeof to === "string" ? to : "");
    // of undici 6 and older, whose agents follow redirects themselves
    const once = redirect === "manual" ? { ...own, maxRedirections: 0 } : own;
    const onTrailers = (raw: RawHeaders): void => void (trailers = raw);
    return dispatchLive((ours) => real(once, ours), { url: request.url.href, signal, onTrailers });
  };
  void callFetch(frame, outgoing, live, (body, head) => ({ body, head })).then(
    (answer) => pump(answer, told, () => trailers),
    told.fail,
  );
}

/** Not recorded, in a run whose prelude was dropped and that only an agentic call can begin again. */
function isPassed({ run }: RunFrame, { method, url, headers, body }: ReadDispatch): boolean {
  if (!run.resting) return false;
  const known = body instanceof Promise ? undefined : body;
  return recogniseBy(run.dialects, method, url, headers, known)?.agentic !== true;
}

interface RawAnswer {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly head: Head;
}

async function pump(
  { body, head }: RawAnswer,
  told: ReturnType<typeof tellHandler>,
  trailers: () => RawHeaders,
): Promise<void> {
  try {
    told.head(
      head.status,
      head.headers.flat().map((text) => Buffer.from(text, "latin1")),
      head.statusText,
    );
    const reader = body?.getReader();
    for (;;) {
      await told.go();
      const read = await reader?.read();
      if (read?.value === undefined) break;
      told.data(Buffer.from(read.value.buffer, read.value.byteOffset, read.value.byteLength));
    }
  } catch (error) {
    return told.fail(error);
  }
  told.end(trailers());
}

/** Null: it is none of ours. What a replayed program opens at its start is told by its runs. */
function readOpening(
  dispatcher: object,
  options: DispatchOptions,
  frame: RunFrame | null,
): { url: URL; headers: HeaderPairs } | null {
  if (frame === null && (isLive() || !recorder.isReplay)) return null;
  const headers = pairsOf(options.headers);
  const url = urlOf(dispatcher, options);
  return headers === null || url === null || isOwnPort(url) ? null : { url, headers };
}

/** Null: undici itself is asked, be it to complain. */
function readDispatch(dispatcher: object, options: DispatchOptions): ReadDispatch | null {
  const { method, headers, body, upgrade } = options ?? {};
  if (typeof method !== "string" || method === "CONNECT" || upgrade) return null;
  const pairs = pairsOf(headers);
  const url = urlOf(dispatcher, options);
  if (pairs === null || url === null) return null;
  const base = { options, method, url, headers: pairs, begin: () => {}, leave: () => {} };
  if (body === null || body === undefined || body === "") return { ...base, body: null, sent: () => body };
  if (typeof body === "string") return { ...base, body, sent: () => body };
  if (ArrayBuffer.isView(body))
    return { ...base, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).slice(), sent: () => body };
  if (body instanceof ArrayBuffer) return { ...base, body: Buffer.from(body.slice(0)), sent: () => body };
  if (!isStream(body)) return null;
  const stream = new SentStream(body);
  return {
    ...base,
    body: stream.whole,
    begin: (taken) => stream.begin(taken),
    leave: () => stream.leave(),
    failure: () => stream.failure,
    sent: () => stream.chunks(),
  };
}

/** For another path of the same server. A query of its own is in the address already, and undici takes only one of the two. */
function addressed(options: DispatchOptions, to: string): DispatchOptions {
  const { query: _, ...rest } = options;
  return { ...rest, path: to.slice(new URL(to).origin.length) };
}

/** Null: it names no server, or is no URL. */
function urlOf(dispatcher: object, { path, query, origin }: DispatchOptions): URL | null {
  const base = origin ?? originOf(dispatcher);
  if (typeof path !== "string" || base === null) return null;
  try {
    const url = new URL(path, String(base));
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.append(key, String(value));
    return url;
  } catch {
    return null;
  }
}

/** Blobs and forms of undici's own make are iterable, too. */
function isStream(body: unknown): body is AsyncIterable<Uint8Array | string> {
  if (typeof body !== "object" || body === null) return false;
  return Symbol.asyncIterator in body && !("append" in body) && !("arrayBuffer" in body);
}

/** Of a client or pool, which has one server. */
function originOf(dispatcher: object): string | null {
  const key = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === "url");
  const url: unknown = key === undefined ? null : Reflect.get(dispatcher, key);
  return url instanceof URL ? url.origin : null;
}

function pairsOf(headers: unknown): HeaderPairs | null {
  if (headers === null || headers === undefined) return [];
  if (typeof headers !== "object") return null;
  const entries: Iterable<unknown> = Array.isArray(headers)
    ? headers.flatMap((name: unknown, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []))
    : Symbol.iterator in headers
      ? (headers as Iterable<unknown>)
      : Object.entries(headers);
  const pairs: [string, string][] = [];
  for (const entry of entries) {
    if (!Array.isArray(entry)) return null;
    const [name, value]: unknown[] = entry;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values)
      if (each !== undefined && each !== null) pairs.push([String(name).toLowerCase(), String(each as string)]);
  }
  return pairs;
}
