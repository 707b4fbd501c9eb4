import type { Answer, Failure } from "./answer.ts";
import type { Ask } from "./ask.ts";
import type { Format } from "./format.ts";
import { FORMATS, OTHER } from "./formats.ts";

/** An answer as it goes over the wire. */
export interface Frames {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Uint8Array[];
}

function errorEvent(format: Format, failure: Failure, ask: Ask): string | Uint8Array {
  if (format.failureEvent !== undefined) return format.failureEvent(failure, ask);
  return `data: ${JSON.stringify(format.failure(failure, ask))}\n\n`;
}

function json(value: unknown): Uint8Array[] {
  return [Buffer.from(JSON.stringify(value))];
}

/** An answer in the wire format that the request asks for. Each event of a stream is a part of its own. */
export function framesOf(ask: Ask, answer: Answer): Frames {
  const format = FORMATS.find(({ name }) => name === ask.api) ?? OTHER;
  const base = { status: answer.status ?? 200, reason: answer.reason };
  const id = { [format.idHeader ?? "x-request-id"]: `req_${ask.serial}` };
  const headers = { "content-type": "application/json", ...id, ...answer.headers };
  if (answer.failure !== undefined) {
    const parts = json(format.failure(answer.failure, ask));
    return { ...base, status: answer.failure.status, headers, parts };
  }
  if (answer.json !== undefined) return { ...base, headers, parts: json(answer.json) };
  if (format.bytes !== undefined) {
    const { mime, parts } = format.bytes(ask);
    return { ...base, headers: { ...headers, "content-type": mime }, parts };
  }
  if (!ask.stream || format.events === undefined)
    return { ...base, headers, parts: json(format.document(ask, answer)) };
  const stream = format.events(ask, answer);
  const cut =
    answer.interrupt === undefined
      ? stream
      : [...stream.slice(0, Math.ceil(stream.length / 2)), errorEvent(format, answer.interrupt, ask)];
  const parts = cut.map((event) => Buffer.from(event));
  const mime = format.mime ?? "text/event-stream; charset=utf-8";
  return { ...base, headers: { ...headers, "content-type": mime }, parts };
}
