import { filled, list, type Asked, type JsonObject } from "@reenact/capture/dialect";
import { blockParts, messagesOf } from "./blocks.ts";

/** System prompt first, then the messages. */
export function askedOfMessages(body: JsonObject): Asked {
  const { messages, system, tools, ...parameters } = body;
  const told = blockParts(system);
  return {
    model: filled(body["model"]),
    parameters,
    messages: [...(told.length === 0 ? [] : [{ role: "system", parts: told }]), ...list(messages).flatMap(messagesOf)],
    tools: list(tools),
  };
}
