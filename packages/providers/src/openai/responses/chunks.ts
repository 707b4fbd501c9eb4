import { count, list, object, text, type JsonObject } from "../../wire/json.ts";
import type { StreamEvent } from "../../wire/event-stream.ts";

type Growing = Record<string, unknown>;

/** Where the pieces of a part go: the list that holds the part, the key of the text, and what a new part looks like. */
const PIECES: ReadonlyMap<string, { list: "content" | "summary"; key: string; part: JsonObject }> = new Map([
  ["response.output_text.delta", { list: "content", key: "text", part: { type: "output_text", annotations: [] } }],
  ["response.refusal.delta", { list: "content", key: "refusal", part: { type: "refusal" } }],
  ["response.reasoning_text.delta", { list: "content", key: "text", part: { type: "reasoning_text" } }],
  ["response.reasoning_summary_text.delta", { list: "summary", key: "text", part: { type: "summary_text" } }],
]);

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ["response.function_call_arguments.delta", "arguments"],
  ["response.mcp_call_arguments.delta", "arguments"],
  ["response.custom_tool_call_input.delta", "input"],
  ["response.code_interpreter_call_code.delta", "code"],
]);

/**
 * The response that the events add up to: that of the last event that carries one, with the items seen where it has
 * none (a cut stream, a host that leaves them out). An `error` event becomes its `error`. Null when there is neither.
 */
export function joinResponseEvents(events: readonly StreamEvent[]): JsonObject | null {
  let response: JsonObject | null = null;
  let failure: JsonObject | null = null;
  const items = new Map<number, Growing>();
  for (const { name, value } of events) {
    const event = object(value);
    const type = text(event["type"]) ?? name ?? "";
    if (type === "error") failure = "error" in event ? object(event["error"]) : event;
    else if (typeof event["response"] === "object" && event["response"] !== null) response = object(event["response"]);
    else growItem(items, type, event);
  }
  if (response === null && failure === null && items.size === 0) return null;
  const seen = [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
  const output = list(response?.["output"]).length > 0 ? response?.["output"] : seen;
  return { object: "response", ...response, output, ...(failure === null ? {} : { error: failure }) };
}

function growItem(items: Map<number, Growing>, type: string, event: JsonObject): void {
  const index = count(event["output_index"]);
  if (index === undefined) return;
  if (type === "response.output_item.added" || type === "response.output_item.done") {
    items.set(index, { ...object(event["item"]) });
    return;
  }
  const delta = text(event["delta"]);
  const item = items.get(index);
  if (delta === undefined || item === undefined) return;
  const key = ARGUMENTS.get(type);
  if (key !== undefined) item[key] = (text(item[key]) ?? "") + delta;
  const piece = PIECES.get(type);
  if (piece === undefined) return;
  const place = count(event["content_index"]) ?? count(event["summary_index"]) ?? 0;
  const parts = [...list(item[piece.list])];
  const at = Math.min(Math.max(0, Math.trunc(place)), parts.length);
  const before = object(parts[at] ?? piece.part);
  parts[at] = { ...before, [piece.key]: (text(before[piece.key]) ?? "") + delta };
  item[piece.list] = parts;
}
