import { type Dimensions, digestRequest, parseJson, type RequestDigests } from "@reenact/envelope";
import type { Operation } from "./dialect.ts";

/** Digests of a request whose text has been scrubbed: the same function serves replay. */
export function digestsOf(
  operation: Operation | null,
  text: string | null,
  bytes: Uint8Array | null,
  mime: string,
): RequestDigests {
  let dimensions: Dimensions | null = null;
  if (text !== null && operation !== null) {
    try {
      dimensions = operation.dimensions(parseJson(text));
    } catch {
      dimensions = null; // not JSON: the body as a whole is compared
    }
  }
  return digestRequest(text !== null ? { text, mime } : bytes !== null ? { bytes, mime } : null, dimensions);
}
