import type { Dialect, Operation } from "../span/dialect.ts";
import { recogniseBy } from "../span/recognise.ts";

/** What a call of `fetch` is, by what can be seen without touching a stream or the body of a `Request`. */
export function recogniseFetch(
  dialects: readonly Dialect[],
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Operation | null {
  const given = input instanceof Request ? input : null;
  const url = URL.parse(addressOf(input));
  if (url === null) return null;
  const body = init?.body;
  const headers = [...new Headers(init?.headers ?? given?.headers)];
  if (body instanceof FormData) headers.push(["content-type", "multipart/form-data"]);
  const method = (init?.method ?? given?.method ?? "GET").toUpperCase();
  return recogniseBy(dialects, method, url, headers, bytesAtHand(body));
}

function addressOf(input: RequestInfo | URL): string {
  if (input instanceof Request) return input.url;
  return input instanceof URL ? input.href : input;
}

/** Undefined: they cannot be read without touching the body. */
function bytesAtHand(body: BodyInit | null | undefined): string | Uint8Array | undefined {
  return typeof body === "string" || body instanceof Uint8Array ? body : undefined;
}
