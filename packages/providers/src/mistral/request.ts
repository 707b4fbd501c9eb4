import type { Part } from "../view/message.ts";
import type { RequestView } from "../view/view.ts";
import { filled, text, type JsonObject } from "../wire/json.ts";

export function fimRequest(body: JsonObject): RequestView {
  const { prompt, suffix, ...parameters } = body;
  const parts = [prompt, suffix].map(text).filter((part) => part !== undefined);
  return {
    model: filled(body["model"]),
    parameters,
    messages: [{ role: "user", parts: parts.map((part): Part => ({ type: "text", text: part })) }],
  };
}
