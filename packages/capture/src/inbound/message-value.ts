import { textOf } from "@reenact/envelope";
import { recorder } from "../run/recorder.ts";
import { scrubBody, Tally } from "../redact/scrub-exchange.ts";
import { decodeContent } from "../transport/content-coding.ts";
import type { CollectedBody } from "./collected-body.ts";

/** Values by header name as it was sent; one that came several times has a list. */
export type HeaderValues = Record<string, string | string[]>;

/** An HTTP request that a server got, as the root of its run holds it. */
export interface RequestValue {
  readonly method: string;
  /** path and query, as in the request line */
  readonly url: string;
  readonly headers: HeaderValues;
  /** after its content encoding was taken off; text where it is UTF-8; null: there was none */
  readonly body: string | Uint8Array | null;
  /** bytes of the whole body where the record has only a part of it, or where not all of it came */
  readonly cut?: number;
  /** port or path of the server, and its number among those that listened then, from 0; null: not known */
  readonly server: { readonly address: number | string | null; readonly number: number } | null;
}

/** What a server answered. */
export interface ResponseValue {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string | Uint8Array | null;
  /** bytes of the whole body where the record has only a part of it */
  readonly cut?: number;
  /** the connection was closed before the response was whole */
  readonly aborted?: true;
}

const IS_EVENT_STREAM = /^text\/event-stream\b/i;
const UNREADABLE = "UNSCANNED";

export function headerValues(raw: readonly string[]): HeaderValues {
  const values: HeaderValues = Object.create(null) as HeaderValues;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const known = values[name];
    values[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return { ...values };
}

/** Value of a header, whatever the case of its name; empty where there is none. */
export function headerOf(headers: HeaderValues, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? "";
  return Array.isArray(found) ? found.join(", ") : found;
}

/**
 * A body as a value of the root, which is redacted as JSON is. What has a form of its own (an event stream, whose messages may
 * divide a secret among them, or bytes) is redacted here; a body of which that is not possible is left out.
 */
export function bodyValue(body: CollectedBody, headers: HeaderValues): string | Uint8Array | null {
  if (body.length === 0) return null;
  const encoding = headerOf(headers, "content-encoding").trim().toLowerCase();
  const isPlain = encoding === "" || encoding === "identity";
  const bytes = isPlain ? body.bytes : decodeContent(body.bytes, encoding);
  if (bytes === null) return `${UNREADABLE}_${body.length}`;
  const mime = headerOf(headers, "content-type");
  const text = textOf(bytes);
  if (text !== null && !IS_EVENT_STREAM.test(mime)) return text;
  const { scrubber } = recorder;
  if (scrubber === null) return `${UNREADABLE}_${body.length}`;
  const scrubbed = scrubBody(scrubber, bytes, mime, null, null, new Tally(), text);
  return scrubbed.text ?? scrubbed.bytes;
}
