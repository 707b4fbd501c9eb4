import { chatMessage, toolCalls } from "../openai/chat/request.ts";
import type { ToolCall } from "../view/message.ts";
import type { ResponseView, Usage } from "../view/view.ts";
import { count, filled, object, text, type JsonObject } from "../wire/json.ts";

export function chatResponse(body: JsonObject): ResponseView {
  const reason = text(body["finish_reason"]);
  return {
    id: filled(body["id"]),
    finish: reason === undefined ? [] : [reason],
    messages: body["message"] === undefined ? [] : [answerMessage(object(body["message"]))],
    usage: readUsage(body["usage"] ?? body["meta"]),
  };
}

export function answerCalls(body: JsonObject): ToolCall[] {
  return toolCalls(object(body["message"]));
}

/** Embeddings and reranking have no text of a model. */
export function billedResponse(body: JsonObject): ResponseView {
  return { id: filled(body["id"]), usage: readUsage(body["meta"]) };
}

/** The plan of a model that asks for tools is its reasoning. */
function answerMessage(message: JsonObject): NonNullable<ResponseView["messages"]>[number] {
  const read = chatMessage({ role: "assistant", ...message });
  const plan = filled(message["tool_plan"]);
  return plan === undefined ? read : { ...read, parts: [{ type: "reasoning", text: plan }, ...read.parts] };
}

/** What the model read and wrote; where that is not said, what was billed. */
function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = object(value);
  const tokens = object(usage["tokens"] ?? usage["billed_units"]);
  return {
    input: count(tokens["input_tokens"]),
    output: count(tokens["output_tokens"]),
    cacheRead: count(usage["cached_tokens"]),
  };
}
