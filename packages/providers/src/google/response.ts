import type { ToolCall } from "../view/message.ts";
import type { ResponseView, Usage } from "../view/view.ts";
import { count, filled, list, object, text, type JsonObject } from "../wire/json.ts";
import { contentMessages, functionCalls } from "./request.ts";

/** All candidates, one message each. A prompt that was blocked has none: its reason is how the answer finished. */
export function generateResponse(body: JsonObject): ResponseView {
  const candidates = list(body["candidates"]).map(object);
  const blocked = filled(object(body["promptFeedback"])["blockReason"]);
  return {
    id: filled(body["responseId"]),
    model: filled(body["modelVersion"]),
    finish: [...candidates.map(({ finishReason }) => text(finishReason)), blocked].filter(
      (reason) => reason !== undefined,
    ),
    messages: candidates.flatMap(({ content }) => contentMessages(content, "model")),
    usage: readUsage(body["usageMetadata"]),
  };
}

export function candidateCalls(body: JsonObject): ToolCall[] {
  return list(body["candidates"]).flatMap((value) =>
    functionCalls(list(object(object(value)["content"])["parts"]).map(object)),
  );
}

/** Thoughts are billed as output and counted apart; results of hosted tools are billed as input. */
function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = object(value);
  const reasoning = count(usage["thoughtsTokenCount"]);
  return {
    input: sum(count(usage["promptTokenCount"]), count(usage["toolUsePromptTokenCount"])),
    output: sum(count(usage["candidatesTokenCount"]), reasoning),
    total: count(usage["totalTokenCount"]),
    cacheRead: count(usage["cachedContentTokenCount"]),
    reasoning,
  };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
