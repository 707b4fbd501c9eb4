import type { HeaderPairs } from "@reenact/envelope";
import type { Dialect, Operation } from "./dialect.ts";
import type { StepDraft } from "./draft.ts";
import { fault, steppedAside } from "../fault/faults.ts";
import { recorder } from "../run/recorder.ts";

/** Bytes above this are not decoded on the agent's path: SDKs send their JSON as a string. */
const READABLE_BYTES = 256 * 1024;

/** What an exchange means, by the first dialect that knows it; null for any other call. Runs on the agent's path. */
export function recogniseBy(
  dialects: readonly Dialect[],
  method: string,
  url: URL,
  headers: HeaderPairs,
  body: string | Uint8Array | null | undefined,
): Operation | null {
  if (steppedAside("recognise")) return null;
  try {
    const head = {
      method,
      url,
      headers: new Map(headers.map(([k, v]) => [k.toLowerCase(), v])),
      body:
        typeof body === "string"
          ? body
          : body && body.length <= READABLE_BYTES
            ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")
            : null,
    };
    for (const dialect of dialects) {
      const operation = dialect.recognise(head);
      if (operation !== null) return operation;
    }
  } catch (error) {
    fault("recognise", error);
  }
  return null;
}

/** By the dialects of this process's recorder. */
export function recognise(
  method: string,
  url: URL,
  headers: HeaderPairs,
  body: string | Uint8Array | null | undefined,
): Operation | null {
  return recogniseBy(recorder.dialects, method, url, headers, body);
}

/** What a redacted exchange was recognised as when it was made; null also where redaction has taken what it was known by. */
export function operationOfDraft(draft: StepDraft, dialects: readonly Dialect[]): Operation | null {
  const request = draft.record.exchange?.request;
  if (!draft.recognised || request === undefined || draft.request === null || !URL.canParse(request.url)) return null;
  const { known, text, bytes } = draft.request;
  const body = known ? (text ?? bytes) : null;
  const operation = recogniseBy(dialects, request.method, new URL(request.url), request.headers, body);
  return operation?.op === draft.record.op ? operation : null;
}
