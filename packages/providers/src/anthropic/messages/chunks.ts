import { count, list, object, readJson, text, type JsonObject } from "../../wire/json.ts";
import type { StreamEvent } from "../../wire/event-stream.ts";

interface Block {
  body: Record<string, unknown>;
  /** pieces of the JSON of `input` */
  json: string;
  ended: boolean;
}

/** The message that the events add up to, with `error` where the stream carries one; null when there is neither. */
export function joinMessageEvents(events: readonly StreamEvent[]): JsonObject | null {
  let message: JsonObject | null = null;
  let error: unknown;
  const blocks = new Map<number, Block>();
  const blockOf = (event: JsonObject): Block | undefined => blocks.get(count(event["index"]) ?? blocks.size - 1);
  for (const each of events) {
    const event = object(each.value);
    switch (typeOf(each)) {
      case "message_start":
        message = object(event["message"]);
        break;
      case "content_block_start":
        blocks.set(count(event["index"]) ?? blocks.size, startOf(event));
        break;
      case "content_block_delta":
        grow(blockOf(event), object(event["delta"]));
        break;
      case "content_block_stop": {
        const block = blockOf(event);
        if (block !== undefined) block.ended = true;
        break;
      }
      case "message_delta":
        message = withDelta(message ?? {}, event);
        break;
      case "error":
        error = event["error"] ?? event;
        break;
    }
  }
  const failure = error === undefined ? {} : { type: "error", error };
  if (message !== null) return { ...message, content: contentOf(blocks), ...failure };
  return error === undefined ? null : failure;
}

function typeOf({ name, value }: StreamEvent): string {
  return text(object(value)["type"]) ?? name ?? "";
}

function startOf(event: JsonObject): Block {
  return { body: { ...object(event["content_block"]) }, json: "", ended: false };
}

function withDelta(message: JsonObject, event: JsonObject): JsonObject {
  return {
    ...message,
    ...object(event["delta"]),
    usage: { ...object(message["usage"]), ...object(event["usage"]) },
  };
}

function contentOf(blocks: ReadonlyMap<number, Block>): JsonObject[] {
  return [...blocks].sort(([a], [b]) => a - b).map(([, block]) => finished(block));
}

function grow(block: Block | undefined, delta: JsonObject): void {
  if (block === undefined) return;
  const { body } = block;
  const join = (key: string): void => {
    body[key] = (text(body[key]) ?? "") + (text(delta[key]) ?? "");
  };
  switch (delta["type"]) {
    case "text_delta":
      return join("text");
    case "thinking_delta":
      return join("thinking");
    case "signature_delta":
      return join("signature");
    case "input_json_delta":
      block.json += text(delta["partial_json"]) ?? "";
      return;
    case "citations_delta":
      body["citations"] = [...list(body["citations"]), delta["citation"]];
      return;
    case "compaction_delta":
      join("content");
      body["encrypted_content"] ??= delta["encrypted_content"];
      return;
  }
}

/** `input` stays text where its JSON is not whole. */
function finished({ body, json, ended }: Block): JsonObject {
  if (json === "") return ended || text(body["type"])?.endsWith("tool_use") !== true ? body : { ...body, input: "" };
  return { ...body, input: readJson(json) ?? json };
}
