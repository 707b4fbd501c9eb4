import type { HeaderPairs } from "@reenact/envelope";

/** The parts of a `Response` that a live exchange reads. Names and values of headers are pairs where they came over the wire as such. */
export type SentAnswer = Pick<Response, "status" | "statusText" | "url" | "redirected" | "type"> & {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly headers: Headers | HeaderPairs;
};

/** Sends a request over the network: `fetch`, or what a client has in its place. */
export type SendRequest = (
  input: RequestInfo | URL,
  init: RequestInit & { signal: AbortSignal },
) => Promise<SentAnswer>;
