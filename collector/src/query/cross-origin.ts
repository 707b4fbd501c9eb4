/** What a browser is told about an allowed origin that is not the collector's own: it may read answers. */
export function crossOriginHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    vary: "Origin",
    "access-control-expose-headers": "content-range, content-length, etag, accept-ranges, retry-after",
  };
}

/** Of the answer to what a browser asks before a request with a key. */
export const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers": "authorization, content-type, range, if-none-match, if-range, last-event-id",
  "access-control-max-age": "600",
} as const;
