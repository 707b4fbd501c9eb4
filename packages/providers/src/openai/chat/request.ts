import { dataUrlLabel, mediaLabel } from "../../wire/media.ts";
import { filled, list, object, text, writeJson, type JsonObject } from "../../wire/json.ts";
import type { RequestView } from "../../view/view.ts";
import type { Message, Part, ToolCall } from "../../view/message.ts";

export function chatRequest(body: JsonObject): RequestView {
  const { messages, tools, functions, ...parameters } = body;
  return {
    model: filled(body["model"]),
    parameters,
    messages: list(messages).map(chatMessage),
    tools: [...list(tools), ...list(functions)],
  };
}

/** A message of a request, or the `message` of a choice. */
export function chatMessage(value: unknown): Message {
  const message = object(value);
  return {
    role: filled(message["role"]) ?? "user",
    name: filled(message["name"]),
    answers: filled(message["tool_call_id"]),
    parts: [
      ...reasoning(message),
      ...contentParts(message["content"]),
      ...(filled(message["refusal"]) === undefined ? [] : [{ type: "refusal", text: filled(message["refusal"]) }]),
      ...audio(message["audio"]),
      ...list(message["images"]).map(part),
    ],
    calls: toolCalls(message),
  };
}

export function toolCalls(message: JsonObject): ToolCall[] {
  const calls = list(message["tool_calls"]).map((value): ToolCall => {
    const call = object(value);
    const custom = object(call["custom"]);
    const target = call["custom"] === undefined ? object(call["function"]) : custom;
    return {
      id: filled(call["id"]),
      name: text(target["name"]) ?? "",
      args: argumentText(call["custom"] === undefined ? target["arguments"] : target["input"]),
    };
  });
  const legacy = object(message["function_call"]);
  if (text(legacy["name"]) === undefined) return calls;
  return [...calls, { id: undefined, name: text(legacy["name"]) ?? "", args: argumentText(legacy["arguments"]) }];
}

/** Some compatible hosts send the arguments as an object. */
function argumentText(value: unknown): string {
  return text(value) ?? (value === undefined || value === null ? "" : writeJson(value));
}

/** The three names under which compatible hosts send thoughts; the first that holds text counts. */
function reasoning(message: JsonObject): Part[] {
  const thought = filled(message["reasoning_content"]) ?? filled(message["reasoning"]);
  if (thought !== undefined) return [{ type: "reasoning", text: thought }];
  return list(message["reasoning_details"]).map((value) => {
    const detail = object(value);
    return {
      type: "reasoning",
      text: filled(detail["text"]) ?? filled(detail["summary"]),
      signature: filled(detail["signature"]),
      data: filled(detail["data"]),
    };
  });
}

export function contentParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).map(part);
}

function part(value: unknown): Part {
  const item = object(value);
  const type = filled(item["type"]) ?? "unknown";
  switch (type) {
    case "image_url":
      return imagePart(text(object(item["image_url"])["url"]) ?? text(item["image_url"]));
    case "input_audio": {
      const sound = object(item["input_audio"]);
      const mime = `audio/${text(sound["format"]) ?? "unknown"}`;
      return { type: "audio", mime, text: mediaLabel(mime, text(sound["data"]) ?? "") };
    }
    case "file": {
      const file = object(item["file"]);
      const label = dataUrlLabel(text(file["file_data"]) ?? "")?.label;
      const named = filled(file["filename"]) ?? filled(file["file_id"]);
      return { type: "file", text: [named, label].filter((word) => word !== undefined).join(" ") };
    }
    case "refusal":
      return { type, text: text(item["refusal"]) };
    case "thinking":
      return {
        type: "reasoning",
        text: list(item["thinking"])
          .map((t) => text(object(t)["text"]) ?? "")
          .join(""),
      };
    default:
      return { type, text: text(item["text"]) };
  }
}

export function imagePart(url: string | undefined): Part {
  const inline = url === undefined ? null : dataUrlLabel(url);
  if (inline === null) return { type: "image", url };
  return { type: "image", mime: inline.mime, text: inline.label };
}

function audio(value: unknown): Part[] {
  if (typeof value !== "object" || value === null) return [];
  const sound = object(value);
  const data = text(sound["data"]);
  return [
    {
      type: "audio",
      id: filled(sound["id"]),
      text: data === undefined ? undefined : mediaLabel("audio", data),
      transcript: filled(sound["transcript"]),
    },
  ];
}
