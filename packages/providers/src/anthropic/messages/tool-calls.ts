import { list, object, text, type JsonObject } from "../../wire/json.ts";
import type { ToolCall } from "../../view/message.ts";
import { inputText } from "./blocks.ts";

/**
 * Calls that the client has to run. A call whose input a cut stream has left in pieces is none; the arguments are
 * the model's JSON without its white space.
 */
export function messageToolCalls(body: JsonObject): ToolCall[] {
  return list(body["content"]).flatMap((value) => {
    const block = object(value);
    if (block["type"] !== "tool_use" || typeof block["input"] === "string") return [];
    return [{ id: text(block["id"]), name: text(block["name"]) ?? "", args: inputText(block) }];
  });
}
