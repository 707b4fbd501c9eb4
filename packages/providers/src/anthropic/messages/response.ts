import { count, filled, object, type JsonObject } from "../../wire/json.ts";
import type { ResponseView, Usage } from "../../view/view.ts";
import { messagesOf } from "./blocks.ts";

export function messagesResponse(body: JsonObject): ResponseView {
  const reason = filled(body["stop_reason"]);
  return {
    id: filled(body["id"]),
    model: filled(body["model"]),
    finish: reason === undefined ? [] : [reason],
    messages: body["content"] === undefined ? [] : messagesOf({ role: "assistant", content: body["content"] }),
    usage: readUsage(body["usage"]),
  };
}

/** Anthropic counts cached tokens apart; both vocabularies want them inside the input. */
function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = object(value);
  const cacheRead = count(usage["cache_read_input_tokens"]);
  const cacheWrite = count(usage["cache_creation_input_tokens"]);
  const fresh = count(usage["input_tokens"]);
  const input = fresh === undefined ? undefined : fresh + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const output = count(usage["output_tokens"]);
  return {
    input,
    output,
    total: input === undefined || output === undefined ? undefined : input + output,
    cacheRead,
    cacheWrite,
    reasoning: count(object(usage["output_tokens_details"])["thinking_tokens"]),
  };
}
