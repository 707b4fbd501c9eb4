import { filled, list, object, text, type JsonObject } from "../../wire/json.ts";
import type { ResponseView } from "../../view/view.ts";
import { readUsage } from "../usage.ts";
import { chatMessage } from "./request.ts";

/** All choices, one message each. */
export function chatResponse(body: JsonObject): ResponseView {
  const choices = list(body["choices"]).map(object);
  return {
    id: filled(body["id"]),
    model: filled(body["model"]),
    fingerprint: filled(body["system_fingerprint"]),
    finish: choices.map((choice) => text(choice["finish_reason"])).filter((reason) => reason !== undefined),
    messages: choices.map((choice) => chatMessage({ role: "assistant", ...object(choice["message"]) })),
    usage: readUsage(body["usage"] ?? object(body["x_groq"])["usage"]),
  };
}
