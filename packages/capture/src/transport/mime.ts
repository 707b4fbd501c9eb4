import { isFramed } from "./event-frames.ts";

/** Content type of a header list, lower case, without parameters except a form's boundary; empty if there is none. */
export function mimeOf(headers: ReadonlyArray<readonly [string, string]>): string {
  const value = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return /^multipart\//i.test(value) ? value : (value.split(";")[0] ?? "").trim().toLowerCase();
}

export function isEventStream(mime: string): boolean {
  return mime === "text/event-stream" || mime === "application/x-ndjson" || isFramed(mime);
}
