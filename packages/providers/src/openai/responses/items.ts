import { dataUrlLabel, mediaLabel } from "../../wire/media.ts";
import { filled, list, object, text, writeJson, type JsonObject } from "../../wire/json.ts";
import type { Message, Part, ToolCall } from "../../view/message.ts";
import { imagePart } from "../chat/request.ts";

/** An item of `input` or of `output`, as one message. */
export function itemMessage(value: unknown): Message {
  const item = object(value);
  const type = filled(item["type"]) ?? "message";
  if (type === "message") {
    return { role: filled(item["role"]) ?? "user", parts: parts(item["content"]) };
  }
  if (type === "reasoning") return { role: "assistant", parts: reasoning(item) };
  if (type.endsWith("_output")) {
    return { role: "tool", answers: filled(item["call_id"]), parts: outputParts(item["output"]) };
  }
  const call = itemCall(item) ?? serverCall(type, item);
  if (call !== null) return { role: "assistant", parts: serverResults(item), calls: [call] };
  return {
    role: filled(item["role"]) ?? "assistant",
    parts: [{ type, id: filled(item["id"]), encrypted: filled(item["encrypted_content"]) }],
  };
}

/** A call that the client has to run; null for any other item. */
export function itemCall(item: JsonObject): ToolCall | null {
  const id = filled(item["call_id"]) ?? filled(item["id"]);
  const named = (name: string, args: unknown): ToolCall => ({ id, name, args: text(args) ?? writeJson(args) });
  const name = text(item["name"]) ?? "";
  switch (item["type"]) {
    case "function_call":
      return named(name, item["arguments"] ?? "");
    case "custom_tool_call":
      return named(name, item["input"] ?? "");
    case "local_shell_call":
      return named("local_shell", item["action"]);
    case "computer_call":
      return named("computer", item["actions"] ?? item["action"]);
    case "apply_patch_call":
      return named("apply_patch", item["operation"]);
    case "shell_call":
      return isInContainer(item) ? null : named("shell", item["action"]);
    case "tool_search_call":
      return item["execution"] === "client" ? named("tool_search", item["arguments"]) : null;
    default:
      return null;
  }
}

/** The provider runs the commands of a shell in a container of its own. */
function isInContainer(item: JsonObject): boolean {
  return object(item["environment"])["type"] === "container_reference";
}

/** A call that the provider has run itself: web search, file search, code, pictures, MCP. */
function serverCall(type: string, item: JsonObject): ToolCall | null {
  if (!type.endsWith("_call")) return null;
  const asked = item["arguments"] ?? item["action"] ?? item["queries"] ?? item["code"] ?? item["prompt"];
  const args = text(asked) ?? writeJson(asked);
  return { id: filled(item["id"]), name: filled(item["name"]) ?? type.slice(0, -"_call".length), args };
}

function serverResults(item: JsonObject): Part[] {
  const found: Part[] = list(item["results"]).map((value) => ({ type: "text", text: text(object(value)["text"]) }));
  const logs = list(item["outputs"]).map((value): Part => {
    const output = object(value);
    return output["type"] === "image" ? imagePart(text(output["url"])) : { type: "text", text: text(output["logs"]) };
  });
  const output: Part[] = filled(item["output"]) === undefined ? [] : [{ type: "text", text: filled(item["output"]) }];
  const drawn = filled(item["result"]);
  const mime = `image/${filled(item["output_format"]) ?? "png"}`;
  return [
    ...found,
    ...logs,
    ...output,
    ...(drawn === undefined ? [] : [{ type: "image", mime, text: mediaLabel(mime, drawn) }]),
  ];
}

function reasoning(item: JsonObject): Part[] {
  const thoughts = [...list(item["summary"]), ...list(item["content"])].map((value) => text(object(value)["text"]));
  const id = filled(item["id"]);
  const encrypted = filled(item["encrypted_content"]);
  if (thoughts.length === 0) return [{ type: "reasoning", id, encrypted }];
  return thoughts.map((thought, n) => ({ type: "reasoning", text: thought, ...(n === 0 ? { id, encrypted } : {}) }));
}

function outputParts(output: unknown): Part[] {
  if (Array.isArray(output) || text(output) !== undefined) return parts(output);
  if (output === undefined || output === null) return [];
  return object(output)["type"] === "computer_screenshot"
    ? [part(output)]
    : [{ type: "text", text: writeJson(output) }];
}

function parts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).flatMap((value) => [part(value), ...citations(value)]);
}

function part(value: unknown): Part {
  const item = object(value);
  const type = filled(item["type"]) ?? "unknown";
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: text(item["text"]) };
    case "refusal":
      return { type, text: text(item["refusal"]) };
    case "input_image":
    case "computer_screenshot":
      return { ...imagePart(text(item["image_url"])), id: filled(item["file_id"]) };
    case "input_audio":
      return inputAudio(object(item["input_audio"]));
    case "output_audio":
      return {
        type: "audio",
        text: mediaLabel("audio", text(item["data"]) ?? ""),
        transcript: filled(item["transcript"]),
      };
    case "input_file":
      return inputFile(item);
    default:
      return { type, text: text(item["text"]) };
  }
}

function inputAudio(sound: JsonObject): Part {
  const mime = `audio/${text(sound["format"]) ?? "unknown"}`;
  return { type: "audio", mime, text: mediaLabel(mime, text(sound["data"]) ?? "") };
}

function inputFile(item: JsonObject): Part {
  const inline = dataUrlLabel(text(item["file_data"]) ?? "")?.label;
  const words = [filled(item["filename"]), filled(item["file_id"]), filled(item["file_url"]), inline];
  return { type: "file", text: words.filter((word) => word !== undefined).join(" ") };
}

function citations(value: unknown): Part[] {
  return list(object(value)["annotations"]).map((annotation) => {
    const cited = object(annotation);
    const words = [filled(cited["title"]), filled(cited["url"]), filled(cited["filename"]), filled(cited["file_id"])];
    return { type: "citation", text: words.filter((word) => word !== undefined).join(" ") };
  });
}
