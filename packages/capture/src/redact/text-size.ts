import type { ExchangeDraft } from "../span/step-content.ts";
import { received } from "../span/received.ts";
import { decodedLength, deliveredEncoding, requestEncoding } from "../transport/content-coding.ts";
import { MOST_READ_HERE } from "./most-read-here.ts";

/**
 * How much text a request's body is when it is redacted: a compressed one is that without its compression. UTF-16 units or bytes;
 * Infinity where it is more than this thread may read.
 */
export function requestSize({ requestBody: body, requestHeaders: headers }: ExchangeDraft): number {
  if (body === null || body === undefined) return 0;
  const encoding = requestEncoding(headers);
  if (encoding === null) return body.length;
  return decodedLength(typeof body === "string" ? Buffer.from(body) : body, encoding, MOST_READ_HERE);
}

/** The same of the answer's body, as far as it has come. Bytes. */
export function answerSize(x: ExchangeDraft): number {
  const size = x.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const encoding = size > MOST_READ_HERE ? null : deliveredEncoding(x.via, x.response?.headers ?? []);
  return encoding === null ? size : decodedLength(received(x).bytes, encoding, MOST_READ_HERE);
}
