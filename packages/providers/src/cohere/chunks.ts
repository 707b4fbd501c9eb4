import type { StreamEvent } from "../wire/event-stream.ts";
import { count, object, text, type JsonObject } from "../wire/json.ts";

type Growing = Record<string, unknown>;

/** The answer that the events of a chat's stream add up to. */
export function joinChatEvents(events: readonly StreamEvent[]): JsonObject | null {
  if (events.length === 0) return null;
  const content = new Map<number, Growing>();
  const calls = new Map<number, Growing>();
  let [plan, id, end, failure]: [string, unknown, JsonObject, JsonObject] = ["", undefined, {}, {}];
  for (const { value } of events) {
    const event = object(value);
    const index = count(event["index"]) ?? 0;
    const delta = object(event["delta"]);
    const message = object(delta["message"]);
    id ??= event["id"];
    plan += text(message["tool_plan"]) ?? "";
    if (event["type"] === "message-end") end = delta;
    else if (event["type"] === "tool-call-start") calls.set(index, callOf(object(message["tool_calls"])));
    else if (event["type"] === "tool-call-delta") addArguments(calls.get(index), object(message["tool_calls"]));
    else if (message["content"] !== undefined) addContent(content, index, object(message["content"]));
    else if (event["message"] !== undefined) failure = { error: { message: event["message"] } };
  }
  const whole: Growing = { role: "assistant" };
  if (plan !== "") whole["tool_plan"] = plan;
  if (calls.size > 0) whole["tool_calls"] = [...calls.values()];
  if (content.size > 0) whole["content"] = [...content.values()];
  return { ...(id === undefined ? {} : { id }), message: whole, ...end, ...failure };
}

function callOf(call: JsonObject): Growing {
  return { ...call, function: { ...object(call["function"]) } };
}

function addArguments(call: Growing | undefined, more: JsonObject): void {
  if (call === undefined) return;
  const target = object(call["function"]);
  const added = text(object(more["function"])["arguments"]) ?? "";
  call["function"] = { ...target, arguments: (text(target["arguments"]) ?? "") + added };
}

function addContent(content: Map<number, Growing>, index: number, more: JsonObject): void {
  const known = content.get(index);
  if (known === undefined) {
    content.set(index, { type: "text", ...more });
    return;
  }
  for (const key of ["text", "thinking"]) {
    const added = text(more[key]);
    if (added !== undefined) known[key] = (text(known[key]) ?? "") + added;
  }
}
