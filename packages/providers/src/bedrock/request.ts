import type { Message, Part, ToolCall } from "../view/message.ts";
import type { RequestView } from "../view/view.ts";
import { filled, list, object, text, writeJson, type JsonObject } from "../wire/json.ts";
import { mediaLabel } from "../wire/media.ts";

export function converseRequest(body: JsonObject): RequestView {
  const { messages, system, toolConfig, ...parameters } = body;
  const { tools, ...choice } = object(toolConfig);
  const prompt = list(system).map((block): Message => ({ role: "system", parts: [blockView(object(block))] }));
  return {
    parameters: Object.keys(choice).length > 0 ? { ...parameters, ...choice } : parameters,
    messages: [...prompt, ...list(messages).flatMap(blockMessages)],
    tools: list(tools).map((tool) => object(tool)["toolSpec"] ?? tool),
  };
}

/** A message, and one more for each result of a tool in it. */
export function blockMessages(value: unknown): Message[] {
  const message = object(value);
  const blocks = list(message["content"]).map(object);
  const results = blocks.filter((block) => block["toolResult"] !== undefined);
  const said = blocks.filter((block) => block["toolResult"] === undefined && block["toolUse"] === undefined);
  const calls = toolUses(blocks);
  const own: Message = {
    role: filled(message["role"]) ?? "user",
    parts: said.map(blockView),
    ...(calls.length > 0 ? { calls } : {}),
  };
  return [...(results.length < blocks.length ? [own] : []), ...results.map(resultMessage)];
}

export function toolUses(blocks: readonly JsonObject[]): ToolCall[] {
  return blocks.flatMap((block) => {
    if (block["toolUse"] === undefined) return [];
    const { toolUseId, name, input } = object(block["toolUse"]);
    return [{ id: filled(toolUseId), name: text(name) ?? "", args: text(input) ?? writeJson(input ?? {}) }];
  });
}

function resultMessage(block: JsonObject): Message {
  const result = object(block["toolResult"]);
  return {
    role: "tool",
    answers: filled(result["toolUseId"]),
    parts: list(result["content"]).map((part) => blockView(object(part))),
  };
}

function blockView(block: JsonObject): Part {
  if (typeof block["text"] === "string") return { type: "text", text: block["text"] };
  if (block["json"] !== undefined) return { type: "text", text: writeJson(block["json"]) };
  const [type = "unknown"] = Object.keys(block);
  const inner = object(block[type]);
  if (type === "reasoningContent") {
    const thought = object(inner["reasoningText"]);
    return { type: "reasoning", text: text(thought["text"]), signature: filled(thought["signature"]) };
  }
  const bytes = text(object(inner["source"])["bytes"]);
  const mime = `${type}/${text(inner["format"]) ?? "unknown"}`;
  if (bytes !== undefined) return { type: type === "image" ? type : "file", mime, text: mediaLabel(mime, bytes) };
  return { type, text: text(inner["text"]) ?? text(inner["name"]) };
}
