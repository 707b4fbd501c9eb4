import { list, object, readJson, type JsonObject } from "../../wire/json.ts";
import type { ToolCall } from "../../view/message.ts";
import { itemCall } from "./items.ts";

/** Calls that the client has to run. Of a stream that was cut, only those whose arguments are whole. */
export function responseToolCalls(body: JsonObject): ToolCall[] {
  return list(body["output"]).flatMap((value) => {
    const item = object(value);
    const call = itemCall(item);
    if (call === null) return [];
    const cut = item["status"] === "in_progress" && body["status"] === "in_progress";
    return cut && readJson(call.args) === undefined ? [] : [call];
  });
}
