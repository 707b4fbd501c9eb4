import type { HeaderPairs } from "@reenact/envelope";
import { live } from "../run/context.ts";
import { type FetchOptions, fetchOptionsOf } from "./fetch/fetch-options.ts";
import type { SendRequest } from "./send-request.ts";
import { SentStream } from "./sent-stream.ts";

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderPairs;
  readonly signal: AbortSignal | null;
  /** known at the call, or promised: a form or blob is read, a stream is tapped while it is sent */
  readonly body: string | Uint8Array | null | Promise<string | Uint8Array | null>;
  /** `redirect` of the call where it is not `follow`: it decides what comes back */
  readonly redirect?: RequestRedirect;
  /** made by an undici dispatcher: a client that follows redirects makes each as a call of its own */
  readonly dispatches?: true;
  /** other options that are not the default */
  readonly fetchOptions?: FetchOptions;
  /** of a form, whose bytes come later: the heads of its parts, by which it can be recognised */
  readonly outline?: string;
  /**
   * Arguments for the real `fetch`, with a signal of ours; forms and blobs go on as the bytes that were read. `instead`: a body that is
   * sent in place of the program's own, or is all of it that was read; `to`: where, if not where the program sends it
   */
  send(
    signal: AbortSignal,
    instead?: string | Uint8Array,
    to?: string,
  ): Parameters<SendRequest> | Promise<Parameters<SendRequest>>;
  /** of a body that was read as a stream: with what its source has failed; null: it has not */
  failure?(): { readonly error: unknown } | null;
  /** starts to read a body that is a stream; `sent`: it goes to the network, else nowhere */
  begin(sent: boolean): void;
  /** lets go of such a body */
  leave(): void;
}

type Init = RequestInit & { duplex?: string };

/** Reads what `fetch(input, init)` was asked to do; null if the real one should complain itself. */
export function readRequest(input: RequestInfo | URL, init: Init | undefined): OutgoingRequest | null {
  if (input instanceof Request) return readRequestObject(input, init);
  const head = headOf(input, init);
  if (head === null) return null;
  const { url, headers } = head;
  const body = init?.body;
  const base = baseOf(url, init);
  const plain = (text: string | Uint8Array | null, own: RequestInit): OutgoingRequest => ({
    ...base,
    headers: [...headers],
    body: text,
    send: (signal, instead, to) => [
      to ?? input,
      { ...init, ...own, ...(instead === undefined ? {} : withBody(headers, instead)), signal },
    ],
  });
  if (body === null || body === undefined) return plain(null, {});
  if (typeof body === "string") {
    setType(headers, "text/plain;charset=UTF-8");
    return plain(body, {});
  }
  if (body instanceof URLSearchParams) {
    setType(headers, "application/x-www-form-urlencoded;charset=UTF-8");
    const text = body.toString();
    return plain(text, { headers, body: text });
  }
  const bytes = bytesOf(body);
  if (bytes !== null) return plain(bytes, { headers, body });
  if (body instanceof FormData || body instanceof Blob) return readForm(input, init, base, headers, body);
  // without it the real one refuses a stream
  return init?.duplex === undefined ? null : readStream(input, init, base, headers, body);
}

/** A length that the program has set is that of its own body. */
function withBody(headers: Headers, body: string | Uint8Array): RequestInit {
  const own = new Headers(headers);
  own.delete("content-length");
  return { headers: own, body: body as BodyInit };
}

function baseOf(url: URL, init: Init | undefined): Base {
  const method = methodOf(init?.method);
  return { method, url, signal: init?.signal ?? null, begin: () => {}, leave: () => {}, ...optionsOf(init) };
}

function headOf(input: string | URL, init: Init | undefined): { url: URL; headers: Headers } | null {
  try {
    return { url: new URL(String(input)), headers: new Headers(init?.headers) };
  } catch {
    return null;
  }
}

function setType(headers: Headers, type: string): void {
  if (!headers.has("content-type")) headers.set("content-type", type);
}

/** A copy of a body of bytes; null for any other. */
function bytesOf(body: BodyInit): Uint8Array | null {
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).slice();
  return body instanceof ArrayBuffer ? Buffer.from(body.slice(0)) : null;
}

type Base = Pick<OutgoingRequest, "method" | "url" | "signal" | "begin" | "leave" | "redirect" | "fetchOptions">;

function optionsOf(of: RequestInit | Request | undefined): Pick<OutgoingRequest, "redirect" | "fetchOptions"> {
  const redirect = of?.redirect ?? "follow";
  const fetchOptions = fetchOptionsOf(of);
  return { ...(redirect === "follow" ? {} : { redirect }), ...(fetchOptions === null ? {} : { fetchOptions }) };
}

function readForm(
  input: string | URL,
  init: Init | undefined,
  base: Base,
  headers: Headers,
  body: FormData | Blob,
): OutgoingRequest {
  const encoded = new Response(body);
  const type = encoded.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  const bytes = live(() => encoded.arrayBuffer()).then(
    (b) => new Uint8Array(b),
    (cause: unknown) => {
      throw new TypeError("fetch failed", { cause });
    },
  );
  bytes.catch(() => {});
  return {
    ...base,
    headers: [...headers],
    body: bytes,
    ...(body instanceof FormData ? { outline: outlineOf(body) } : {}),
    send: async (signal, instead, to) => [
      to ?? input,
      { ...init, headers, body: (instead ?? (await bytes)) as BodyInit, signal },
    ],
  };
}

function outlineOf(form: FormData): string {
  return Array.from(
    new Set(form.keys()),
    (name) => `--\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`,
  ).join("");
}

function readStream(input: string | URL, init: Init, base: Base, headers: Headers, body: unknown): OutgoingRequest {
  const stream = new SentStream(body as AsyncIterable<Uint8Array | string>);
  return {
    ...base,
    headers: [...headers],
    body: stream.whole,
    begin: (sent) => stream.begin(sent),
    leave: () => stream.leave(),
    failure: () => {
      const { failure } = stream;
      return failure && { error: new TypeError("fetch failed", { cause: failure.error }) };
    },
    send: (signal, instead, to) =>
      instead === undefined
        ? [input, { ...init, headers, ...streamed(stream), signal }]
        : [to ?? input, { ...init, ...withBody(headers, instead), signal }],
  };
}

function streamed(stream: SentStream): RequestInit {
  return { body: stream.chunks() as unknown as BodyInit, duplex: "half" } as RequestInit;
}

function readRequestObject(input: Request, init: RequestInit | undefined): OutgoingRequest | null {
  let request: Request;
  try {
    request = new Request(input, init);
  } catch {
    return null;
  }
  const hasBody = request.body !== null;
  // in the agent's context: it may be a stream of his
  const bytes = hasBody
    ? request
        .clone()
        .arrayBuffer()
        .then((b) => new Uint8Array(b))
    : null;
  bytes?.catch(() => {});
  return {
    method: request.method,
    url: new URL(request.url),
    headers: [...request.headers],
    signal: init?.signal ?? input.signal,
    ...optionsOf(request),
    body: bytes,
    begin: () => {},
    leave: () => {},
    send: (signal, instead, to) => {
      if (instead === undefined) return [request, { signal }];
      const own = withBody(request.headers, instead);
      // of another address a request is made anew
      return to === undefined
        ? [request, { ...own, signal }]
        : [new Request(to, { ...optionsFrom(request), ...own }), { signal }];
    },
  };
}

/** What a `Request` has beside its address and its body. */
function optionsFrom(request: Request): RequestInit {
  const { method, redirect, cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy } = request;
  return { method, redirect, cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy } as RequestInit;
}

/** As `fetch` does it: only these six are upper-cased. */
function methodOf(method: string | undefined): string {
  const upper = method?.toUpperCase() ?? "GET";
  return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].includes(upper) ? upper : (method as string);
}
