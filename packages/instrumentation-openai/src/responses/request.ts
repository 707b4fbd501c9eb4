import { filled, list, text, type Asked, type JsonObject, type Message } from "@reenact/capture/dialect";
import { itemMessage } from "./items.ts";

export function askedOfResponses(body: JsonObject): Asked {
  const { input, instructions, tools, ...parameters } = body;
  const told = filled(instructions);
  const system: Message[] = told === undefined ? [] : [{ role: "system", parts: [{ type: "text", text: told }] }];
  const said: Message[] =
    text(input) === undefined
      ? list(input).map(itemMessage)
      : [{ role: "user", parts: [{ type: "text", text: text(input) }] }];
  return { model: filled(body["model"]), parameters, messages: [...system, ...said], tools: list(tools) };
}
