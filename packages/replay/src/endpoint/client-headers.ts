/**
 * Headers that say nothing of the program where another client sends the request, such as that of another language: what it
 * accepts, and its key, which an endpoint over a record does not need.
 */
const OF_THE_CLIENT: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "api-key",
  "authorization",
  "content-type",
  "x-api-key",
  "x-goog-api-key",
]);

/** By the lower-case name of a header. */
export const isFromClient = (name: string): boolean => OF_THE_CLIENT.has(name);
