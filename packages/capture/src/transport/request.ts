import type { HeaderPairs } from "@reenact/envelope";
import { live } from "../run/context.ts";
import { type FetchOptions, fetchOptionsOf } from "./fetch/fetch-options.ts";
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
  /** other options that are not the default */
  readonly fetchOptions?: FetchOptions;
  /** of a form, whose bytes come later: the heads of its parts, by which it can be recognised */
  readonly outline?: string;
  /** arguments for the real `fetch`, with a signal of ours; forms and blobs go on as the bytes that were read */
  send(signal: AbortSignal): Promise<[input: RequestInfo | URL, init: RequestInit]>;
  /** starts to read a body that is a stream; `sent`: it goes to the network, else nowhere */
  begin(sent: boolean): void;
  /** lets go of such a body */
  leave(): void;
}

type Init = RequestInit & { duplex?: string };

/** Reads what `fetch(input, init)` was asked to do; null if the real one should complain itself. */
export function readRequest(input: RequestInfo | URL, init: RequestInit | undefined): OutgoingRequest | null {
  if (input instanceof Request) return readRequestObject(input, init);
  let url: URL;
  let headers: Headers;
  try {
    url = new URL(String(input));
    headers = new Headers(init?.headers);
  } catch {
    return null;
  }
  const method = methodOf(init?.method);
  const body = init?.body;
  const base = { method, url, signal: init?.signal ?? null, begin: () => {}, leave: () => {}, ...optionsOf(init) };
  const plain = (text: string | Uint8Array | null, given: BodyInit | null | undefined = body): OutgoingRequest => ({
    ...base,
    headers: [...headers],
    body: text,
    send: async (signal) => [
      input,
      given === undefined ? { ...init, signal } : { ...init, headers, body: given, signal },
    ],
  });
  if (body === null || body === undefined)
    return { ...plain(null), send: async (signal) => [input, { ...init, signal }] };
  if (typeof body === "string") {
    if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
    return { ...plain(body), send: async (signal) => [input, { ...init, signal }] };
  }
  if (body instanceof URLSearchParams) {
    if (!headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
    const text = body.toString();
    return plain(text, text);
  }
  if (ArrayBuffer.isView(body)) return plain(Buffer.from(body.buffer, body.byteOffset, body.byteLength).slice());
  if (body instanceof ArrayBuffer) return plain(Buffer.from(body.slice(0)));
  if (body instanceof FormData || body instanceof Blob) return readForm(input, init as Init, base, headers, body);
  // without it the real one refuses a stream
  return (init as Init).duplex === undefined ? null : readStream(input, init as Init, base, headers, body);
}

type Base = Pick<OutgoingRequest, "method" | "url" | "signal" | "begin" | "leave" | "redirect" | "fetchOptions">;

function optionsOf(of: RequestInit | Request | undefined): Pick<OutgoingRequest, "redirect" | "fetchOptions"> {
  const redirect = of?.redirect ?? "follow";
  const fetchOptions = fetchOptionsOf(of as Parameters<typeof fetchOptionsOf>[0]);
  return { ...(redirect === "follow" ? {} : { redirect }), ...(fetchOptions === null ? {} : { fetchOptions }) };
}

function readForm(
  input: string | URL,
  init: Init,
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
    send: async (signal) => [input, { ...init, headers, body: await bytes, signal }],
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
    send: async (signal) => [
      input,
      { ...init, headers, body: stream.chunks() as unknown as BodyInit, duplex: "half", signal } as RequestInit,
    ],
  };
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
    send: async (signal) => [request, { signal }],
  };
}

/** As `fetch` does it: only these six are upper-cased. */
function methodOf(method: string | undefined): string {
  const upper = method?.toUpperCase() ?? "GET";
  return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].includes(upper) ? upper : (method as string);
}
