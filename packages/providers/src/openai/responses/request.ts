import { filled, list, text, type JsonObject } from "../../wire/json.ts";
import type { RequestView } from "../../view/view.ts";
import type { Message } from "../../view/message.ts";
import { itemMessage } from "./items.ts";

export function responsesRequest(body: JsonObject): RequestView {
  const { input, instructions, tools, ...parameters } = body;
  const told = filled(instructions);
  const system: Message[] = told === undefined ? [] : [{ role: "system", parts: [{ type: "text", text: told }] }];
  const said: Message[] =
    text(input) === undefined
      ? list(input).map(itemMessage)
      : [{ role: "user", parts: [{ type: "text", text: text(input) }] }];
  return { model: filled(body["model"]), parameters, messages: [...system, ...said], tools: list(tools) };
}
