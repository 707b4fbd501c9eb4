import type { Answer, Failure, Frames } from "./answer.ts";
import { countDocument, messageDocument, messageEvents } from "./anthropic-messages.ts";
import type { Ask, Json } from "./ask.ts";
import { chatDocument, chatEvents } from "./openai-chat.ts";
import { embeddingsDocument, fileDocument, speechBytes } from "./openai-media.ts";
import { responseDocument, responseEvents } from "./openai-responses.ts";

function errorDocument({ api, serial, wire }: Ask, failure: Failure): Json {
  if (wire !== undefined) return wire.failure(failure);
  const { type, message } = failure;
  if (api === "messages" || api === "count") {
    return { type: "error", error: { type, message }, request_id: `req_${serial}` };
  }
  return { error: { message, type, param: null, code: type } };
}

function errorEvent(ask: Ask, failure: Failure): string {
  const { api } = ask;
  if (api === "chat") return `data: ${JSON.stringify(errorDocument(ask, failure))}\n\n`;
  if (api === "messages") return `event: error\ndata: ${JSON.stringify(errorDocument(ask, failure))}\n\n`;
  const event = { type: "error", code: failure.type, message: failure.message, param: null, sequence_number: 99 };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}

function document(ask: Ask, answer: Answer): unknown {
  if (ask.wire !== undefined) return ask.wire.document(ask, answer);
  switch (ask.api) {
    case "chat":
      return chatDocument(ask, answer);
    case "responses":
      return responseDocument(ask, answer);
    case "messages":
      return messageDocument(ask, answer);
    case "count":
      return countDocument(ask);
    case "embeddings":
      return embeddingsDocument(ask);
    case "files":
      return fileDocument(ask);
    case "speech":
    case "other":
      return { path: ask.path, serial: ask.serial };
  }
}

function events(ask: Ask, answer: Answer): (string | Uint8Array)[] | null {
  if (!ask.stream) return null;
  if (ask.wire !== undefined) return ask.wire.events(ask, answer);
  if (ask.api === "chat") return chatEvents(ask, answer);
  if (ask.api === "responses") return responseEvents(ask, answer);
  return ask.api === "messages" ? messageEvents(ask, answer) : null;
}

function json(value: unknown): Uint8Array[] {
  return [Buffer.from(JSON.stringify(value))];
}

/** An answer in the wire format that the request asks for. Each event of a stream is a part of its own. */
export function framesOf(ask: Ask, answer: Answer): Frames {
  const base = { status: answer.status ?? 200, reason: answer.reason };
  const idHeader = ask.api === "messages" || ask.api === "count" ? "request-id" : "x-request-id";
  const headers = { "content-type": "application/json", [idHeader]: `req_${ask.serial}`, ...answer.headers };
  if (answer.failure !== undefined) {
    const parts = json(errorDocument(ask, answer.failure));
    return { ...base, status: answer.failure.status, headers, parts };
  }
  if (answer.json !== undefined) return { ...base, headers, parts: json(answer.json) };
  if (ask.api === "speech") {
    const bytes = speechBytes(ask);
    const parts = [bytes.subarray(0, 2500), bytes.subarray(2500)];
    return { ...base, headers: { ...headers, "content-type": "audio/wav" }, parts };
  }
  const stream = events(ask, answer);
  if (stream === null) return { ...base, headers, parts: json(document(ask, answer)) };
  const cut =
    answer.interrupt === undefined
      ? stream
      : [...stream.slice(0, Math.ceil(stream.length / 2)), errorEvent(ask, answer.interrupt)];
  const parts = cut.map((event) => Buffer.from(event));
  const mime = ask.wire?.mime ?? "text/event-stream; charset=utf-8";
  return { ...base, headers: { ...headers, "content-type": mime }, parts };
}
