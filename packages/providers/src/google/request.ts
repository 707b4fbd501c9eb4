import type { Message, Part, ToolCall } from "../view/message.ts";
import type { RequestView } from "../view/view.ts";
import { filled, list, object, text, writeJson, type JsonObject } from "../wire/json.ts";
import { mediaLabel } from "../wire/media.ts";

export function generateRequest(body: JsonObject): RequestView {
  const { contents, systemInstruction, tools, ...parameters } = body;
  const system = contentMessages(systemInstruction, "system").map((message) => ({ ...message, role: "system" }));
  return {
    parameters,
    messages: [...system, ...list(contents).flatMap((content) => contentMessages(content, "user"))],
    tools: list(tools).flatMap((value) => {
      const { functionDeclarations, ...hosted } = object(value);
      return [...list(functionDeclarations), ...(Object.keys(hosted).length > 0 ? [hosted] : [])];
    }),
  };
}

/** A content as a message, and one more message for each result of a function in it. */
export function contentMessages(value: unknown, role: string): Message[] {
  const content = object(value);
  const parts = list(content["parts"]).map(object);
  if (parts.length === 0) return [];
  const results = parts.filter((part) => part["functionResponse"] !== undefined);
  const rest = parts.filter((part) => part["functionResponse"] === undefined);
  const from = filled(content["role"]) ?? role;
  const calls = functionCalls(rest);
  const said: Message = {
    role: from === "model" ? "assistant" : from,
    parts: rest.filter((part) => part["functionCall"] === undefined).map(partView),
    ...(calls.length > 0 ? { calls } : {}),
  };
  return [...(rest.length > 0 ? [said] : []), ...results.map(resultMessage)];
}

export function functionCalls(parts: readonly JsonObject[]): ToolCall[] {
  return parts.flatMap((part) => {
    if (part["functionCall"] === undefined) return [];
    const call = object(part["functionCall"]);
    return [{ id: filled(call["id"]), name: text(call["name"]) ?? "", args: writeJson(call["args"] ?? {}) }];
  });
}

function resultMessage(part: JsonObject): Message {
  const result = object(part["functionResponse"]);
  return {
    role: "tool",
    name: filled(result["name"]),
    answers: filled(result["id"]),
    parts: [{ type: "text", text: writeJson(result["response"] ?? null) }],
  };
}

function partView(part: JsonObject): Part {
  if (typeof part["text"] === "string") {
    const signature = filled(part["thoughtSignature"]);
    if (part["thought"] === true) return { type: "reasoning", text: part["text"], signature };
    return { type: "text", text: part["text"] };
  }
  if (part["inlineData"] !== undefined) {
    const { mimeType, data } = object(part["inlineData"]);
    const mime = text(mimeType) ?? "application/octet-stream";
    return { type: mediaType(mime), mime, text: mediaLabel(mime, text(data) ?? "") };
  }
  if (part["fileData"] !== undefined) {
    const { mimeType, fileUri } = object(part["fileData"]);
    const mime = text(mimeType) ?? "";
    return mediaType(mime) === "image"
      ? { type: "image", mime, url: text(fileUri) }
      : { type: mediaType(mime), mime, text: text(fileUri) };
  }
  const [type = "unknown"] = Object.keys(part);
  const inner = object(part[type]);
  return { type, text: text(inner["code"]) ?? text(inner["output"]) };
}

function mediaType(mime: string): string {
  const [kind = ""] = mime.split("/");
  return kind === "image" || kind === "audio" ? kind : "file";
}
