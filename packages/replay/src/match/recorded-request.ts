import { decodeContent, requestEncoding } from "@reenact/capture/recorder";
import { digestRequest, type RequestDigests, textOf } from "@reenact/envelope";
import { bytesOf } from "../tape/recorded-chunks.ts";
import type { RecordedStep } from "../tape/tape.ts";

export const recordedUrl = (step: RecordedStep): string => step.record.exchange?.request.url ?? "";

/** Path and query of a URL. The host is part of the slot, but for calls of a model. */
export const targetOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url;

/** Digests of a recorded step, for a function step those of its arguments. */
export function recordedDigests(step: RecordedStep): RequestDigests | null {
  if (step.record.digests !== undefined) return step.record.digests;
  const { call } = step.record;
  return call === undefined ? null : digestRequest({ text: call.args, mime: "application/json" }, null);
}

/** A recorded request body, decompressed. Both null: there was none. */
export interface RecordedRequestBody {
  readonly text: string | null;
  readonly bytes: Uint8Array | null;
}

export function recordedBody(step: RecordedStep): RecordedRequestBody {
  const request = step.record.exchange?.request;
  if (request?.body === undefined) return { text: step.input, bytes: null };
  const encoding = requestEncoding(request.headers);
  if (encoding === null && "$" in request.body) return { text: step.input, bytes: null };
  const stored = bytesOf(step, request.body);
  const bytes = encoding === null ? stored : (decodeContent(stored, encoding) ?? stored);
  const text = textOf(bytes);
  return text === null ? { text, bytes } : { text, bytes: null };
}
