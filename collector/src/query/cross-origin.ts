/** Response headers that let pages of an allowed foreign origin read an answer. */
export function crossOriginHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    vary: "Origin",
    "access-control-expose-headers": "content-range, content-length, etag, accept-ranges, retry-after",
  };
}

/** Headers of the answer to a browser's preflight request. */
export const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers": "authorization, content-type, range, if-none-match, if-range, last-event-id",
  "access-control-max-age": "600",
} as const;
