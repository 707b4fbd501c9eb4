import { filled, list, object, text, writeJson, type JsonObject } from "../../wire/json.ts";
import { mediaLabel } from "../../wire/media.ts";
import type { Message, Part, ToolCall } from "../../view/message.ts";

/**
 * A message as people read it. Each tool result that a user message carries becomes a message of role `tool`, as
 * other providers have it; what is left of the user message follows.
 */
export function messagesOf(value: unknown): Message[] {
  const message = object(value);
  const role = filled(message["role"]) ?? "user";
  const content = message["content"];
  if (typeof content === "string") return [{ role, parts: [{ type: "text", text: content }] }];
  const blocks = list(content).map(object);
  const results = blocks.filter((block) => block["type"] === "tool_result").map(toolResult);
  const rest = blocks.filter((block) => block["type"] !== "tool_result");
  if (rest.length === 0 && results.length > 0) return results;
  const calls = rest.map(call).filter((made) => made !== null);
  return [...results, { role, parts: rest.flatMap(parts), calls }];
}

export function blockParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).flatMap((block) => parts(object(block)));
}

function toolResult(block: JsonObject): Message {
  const found = blockParts(block["content"]);
  const failed: Part[] = block["is_error"] === true ? [{ type: "error", text: "is_error" }] : [];
  return { role: "tool", answers: filled(block["tool_use_id"]), parts: [...failed, ...found] };
}

/** A call, run by the client (`tool_use`) or by the provider (`server_tool_use`, `mcp_tool_use`). */
function call(block: JsonObject): ToolCall | null {
  if (text(block["type"])?.endsWith("tool_use") !== true) return null;
  return { id: filled(block["id"]), name: text(block["name"]) ?? "", args: inputText(block) };
}

/** The input as JSON text; a stream that was cut leaves a piece of it. */
export function inputText(block: JsonObject): string {
  return text(block["input"]) ?? writeJson(block["input"]);
}

function parts(block: JsonObject): Part[] {
  const type = filled(block["type"]) ?? "unknown";
  switch (type) {
    case "text":
      return [{ type, text: text(block["text"]) }, ...list(block["citations"]).map(citation)];
    case "thinking":
      return [{ type: "reasoning", text: text(block["thinking"]), signature: filled(block["signature"]) }];
    case "redacted_thinking":
      return [{ type, data: filled(block["data"]) }];
    case "image":
      return [source("image", object(block["source"]), undefined)];
    case "document":
      return [source("file", object(block["source"]), filled(block["title"]))];
    case "search_result":
      return [{ type, text: words(block["title"], block["source"], texts(block["content"])) }];
    case "compaction":
      return [{ type, text: filled(block["content"]), signature: filled(block["signature"]) }];
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return [];
    default:
      return type.endsWith("_tool_result")
        ? serverResult(type, block["content"])
        : [{ type, text: filled(block["text"]) }];
  }
}

function source(type: "image" | "file", from: JsonObject, title: string | undefined): Part {
  const mime = text(from["media_type"]) ?? "unknown";
  switch (from["type"]) {
    case "base64":
      return { type, mime, text: words(title, mediaLabel(mime, text(from["data"]) ?? "")) };
    case "url":
      return type === "image" ? { type, url: text(from["url"]) } : { type, text: words(title, from["url"]) };
    case "text":
      return { type, mime, text: words(title, `[${mime}, ${text(from["data"])?.length ?? 0} characters]`) };
    case "content":
      return { type, text: words(title, texts(from["content"])) };
    default:
      return { type, text: words(title, from["file_id"]) };
  }
}

/** What a tool of the provider found: title and address of each hit, standard output, or an error code. */
function serverResult(type: string, content: unknown): Part[] {
  if (typeof content === "string") return [{ type, text: content }];
  const hits = Array.isArray(content) ? content : [content];
  return hits.map((value) => {
    const hit = object(value);
    const said = [
      hit["text"],
      hit["title"],
      hit["url"],
      hit["stdout"],
      hit["stderr"],
      hit["error_code"],
      hit["tool_name"],
    ];
    return { type, text: words(...said) };
  });
}

function citation(value: unknown): Part {
  const cited = object(value);
  return {
    type: "citation",
    text: words(cited["title"] ?? cited["document_title"], cited["url"] ?? cited["source"], cited["cited_text"]),
  };
}

/** The texts of blocks that stand inside a block. */
function texts(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((block) => text(object(block)["text"]) ?? "")
    .join("\n");
}

function words(...said: unknown[]): string {
  return said.filter((word) => typeof word === "string" && word !== "").join(" ");
}
