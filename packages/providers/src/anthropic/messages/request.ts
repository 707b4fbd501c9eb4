import { filled, list, type JsonObject } from "../../wire/json.ts";
import type { RequestView } from "../../view/view.ts";
import { blockParts, messagesOf } from "./blocks.ts";

/** System prompt first, then the messages. */
export function messagesRequest(body: JsonObject): RequestView {
  const { messages, system, tools, ...parameters } = body;
  const told = blockParts(system);
  return {
    model: filled(body["model"]),
    parameters,
    messages: [...(told.length === 0 ? [] : [{ role: "system", parts: told }]), ...list(messages).flatMap(messagesOf)],
    tools: list(tools),
  };
}
