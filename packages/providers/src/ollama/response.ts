import type { StreamEvent } from "../wire/event-stream.ts";
import { chatMessage, toolCalls } from "../openai/chat/request.ts";
import type { Message, ToolCall } from "../view/message.ts";
import type { ResponseView } from "../view/view.ts";
import { count, filled, list, object, text, type JsonObject } from "../wire/json.ts";
import { mediaLabel } from "../wire/media.ts";

/** A chat has a `message`, a generated text is the `response`; counts stand beside them. */
export function ollamaResponse(body: JsonObject): ResponseView {
  const reason = filled(body["done_reason"]);
  return {
    model: filled(body["model"]),
    finish: reason === undefined ? [] : [reason],
    messages: answers(body),
    usage: { input: count(body["prompt_eval_count"]), output: count(body["eval_count"]) },
  };
}

function answers(body: JsonObject): Message[] {
  const said = text(body["response"]);
  if (said !== undefined) return [ollamaMessage({ role: "assistant", content: said, thinking: body["thinking"] })];
  return body["message"] === undefined ? [] : [ollamaMessage({ role: "assistant", ...object(body["message"]) })];
}

/** Like a message of OpenAI's chat, with thoughts, pictures without a type, and the name of the tool that answers. */
export function ollamaMessage(message: JsonObject): Message {
  const read = chatMessage({ ...message, reasoning: message["thinking"], images: undefined });
  const pictures = list(message["images"]).map((data) => {
    return { type: "image", mime: "image", text: mediaLabel("image", text(data) ?? "") };
  });
  const name = filled(message["tool_name"]);
  return { ...read, ...(name === undefined ? {} : { name }), parts: [...read.parts, ...pictures] };
}

export function messageCalls(body: JsonObject): ToolCall[] {
  return toolCalls(object(body["message"]));
}

/** The answer that the lines of a stream add up to. */
export function joinLines(events: readonly StreamEvent[]): JsonObject | null {
  if (events.length === 0) return null;
  const whole = new Map<string, unknown>();
  const message = new Map<string, unknown>();
  for (const { value } of events) {
    for (const [key, field] of Object.entries(object(value))) {
      if (key === "message") for (const [name, part] of Object.entries(object(field))) add(message, name, part);
      else if (key === "response" || key === "thinking") add(whole, key, field);
      else whole.set(key, field);
    }
  }
  return { ...Object.fromEntries(whole), ...(message.size > 0 ? { message: Object.fromEntries(message) } : {}) };
}

function add(into: Map<string, unknown>, key: string, value: unknown): void {
  const before = into.get(key);
  if (Array.isArray(value)) into.set(key, [...list(before), ...list(value)]);
  else if (typeof value === "string" && typeof before === "string" && key !== "role") into.set(key, before + value);
  else into.set(key, value);
}
