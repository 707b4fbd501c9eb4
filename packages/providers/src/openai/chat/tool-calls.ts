import { list, object, readJson, type JsonObject } from "../../wire/json.ts";
import type { ToolCall } from "../../view/message.ts";
import { toolCalls } from "./request.ts";

/**
 * Tool calls of all choices. Of a choice whose stream was cut before its finish reason only those calls count
 * whose arguments are whole.
 */
export function chatToolCalls(body: JsonObject): ToolCall[] {
  return list(body["choices"]).flatMap((value) => {
    const choice = object(value);
    const calls = toolCalls(object(choice["message"]));
    return typeof choice["finish_reason"] === "string"
      ? calls
      : calls.filter((call) => readJson(call.args) !== undefined);
  });
}
