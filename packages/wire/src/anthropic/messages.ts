import { createHash } from "node:crypto";
import type { Answer, Failure } from "../answer.ts";
import { textOf } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import type { Json } from "../json.ts";
import { pieces } from "../pieces.ts";

function signature(ask: Ask, thinking: string): string {
  return createHash("sha512").update(ask.serial).update(thinking).digest("base64");
}

function blocks(ask: Ask, answer: Answer): Json[] {
  const said = textOf(answer);
  return [
    ...(answer.thinking === undefined
      ? []
      : [{ type: "thinking", thinking: answer.thinking, signature: signature(ask, answer.thinking) }]),
    ...(said === "" ? [] : [{ type: "text", text: said }]),
    ...(answer.calls ?? []).map((call, at) => ({
      type: "tool_use",
      id: `toolu_${ask.serial}_${at}`,
      name: call.name,
      input: call.args,
    })),
  ];
}

function message(ask: Ask, answer: Answer, content: readonly Json[], stop: string | null, outputTokens: number): Json {
  return {
    id: `msg_${ask.serial}`,
    type: "message",
    role: "assistant",
    model: answer.model ?? `${ask.model}-20260101`,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: {
      input_tokens: Math.ceil(ask.raw.length / 4),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: outputTokens,
    },
  };
}

function stopReason(answer: Answer): string {
  return (answer.calls ?? []).length > 0 ? "tool_use" : "end_turn";
}

function messageDocument(ask: Ask, answer: Answer): Json {
  const content = blocks(ask, answer);
  return message(ask, answer, content, stopReason(answer), Math.ceil(JSON.stringify(content).length / 4));
}

function countDocument(ask: Ask): Json {
  return { input_tokens: Math.ceil(ask.raw.length / 4) };
}

function blockEvents(block: Json, index: number, count: Answer["pieces"]): Json[] {
  const delta = (rest: Json): Json => ({ type: "content_block_delta", index, delta: rest });
  let start: Json;
  let inside: Json[];
  if (block["type"] === "thinking") {
    start = { type: "thinking", thinking: "", signature: "" };
    inside = [
      ...pieces(String(block["thinking"]), count).map((thinking) => delta({ type: "thinking_delta", thinking })),
      delta({ type: "signature_delta", signature: block["signature"] }),
    ];
  } else if (block["type"] === "text") {
    start = { type: "text", text: "" };
    inside = pieces(String(block["text"]), count).map((text) => delta({ type: "text_delta", text }));
  } else {
    start = { ...block, input: {} };
    const args = JSON.stringify(block["input"]);
    inside = ["", ...pieces(args, 2)].map((part) => delta({ type: "input_json_delta", partial_json: part }));
  }
  return [
    { type: "content_block_start", index, content_block: start },
    ...inside,
    { type: "content_block_stop", index },
  ];
}

function messageEvents(ask: Ask, answer: Answer): string[] {
  const content = blocks(ask, answer);
  const events: Json[] = [
    { type: "message_start", message: message(ask, answer, [], null, 1) },
    { type: "ping" },
    ...content.flatMap((block, index) => blockEvents(block, index, answer.pieces)),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: Math.ceil(JSON.stringify(content).length / 4) },
    },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
}

function failure({ type, message: said }: Failure, { serial }: Ask): Json {
  return { type: "error", error: { type, message: said }, request_id: `req_${serial}` };
}

/** Anthropic's messages. */
export const messages: Format = {
  name: "messages",
  path: /\/messages$/,
  idHeader: "request-id",
  document: messageDocument,
  events: messageEvents,
  failure,
  failureEvent: (given, ask) => `event: error\ndata: ${JSON.stringify(failure(given, ask))}\n\n`,
};

/** Anthropic's counting of tokens. */
export const countTokens: Format = {
  name: "count",
  path: /\/messages\/count_tokens$/,
  idHeader: "request-id",
  document: countDocument,
  failure,
};
