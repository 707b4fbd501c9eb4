import type { ToolCall } from "../view/message.ts";
import type { ResponseView, Usage } from "../view/view.ts";
import { count, list, object, text, type JsonObject } from "../wire/json.ts";
import { blockMessages, toolUses } from "./request.ts";

export function converseResponse(body: JsonObject): ResponseView {
  const message = object(body["output"])["message"];
  const reason = text(body["stopReason"]);
  return {
    finish: reason === undefined ? [] : [reason],
    messages: message === undefined ? [] : blockMessages({ role: "assistant", ...object(message) }),
    usage: converseUsage(body["usage"]),
  };
}

export function converseCalls(body: JsonObject): ToolCall[] {
  return toolUses(list(object(object(body["output"])["message"])["content"]).map(object));
}

/** Tokens that the cache took part in are not in `inputTokens`. */
function converseUsage(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = object(value);
  const cacheRead = count(usage["cacheReadInputTokens"]) ?? count(usage["cacheReadInputTokenCount"]);
  const cacheWrite = count(usage["cacheWriteInputTokens"]) ?? count(usage["cacheWriteInputTokenCount"]);
  const input = count(usage["inputTokens"]);
  return {
    input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: count(usage["outputTokens"]),
    total: count(usage["totalTokens"]),
    cacheRead,
    cacheWrite,
  };
}
