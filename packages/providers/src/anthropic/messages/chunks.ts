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
  for (const { name, value } of events) {
    const event = object(value);
    switch (text(event["type"]) ?? name ?? "") {
      case "message_start":
        message = object(event["message"]);
        break;
      case "content_block_start":
        blocks.set(count(event["index"]) ?? blocks.size, {
          body: { ...object(event["content_block"]) },
          json: "",
          ended: false,
        });
        break;
      case "content_block_delta":
        grow(blocks.get(count(event["index"]) ?? blocks.size - 1), object(event["delta"]));
        break;
      case "content_block_stop": {
        const block = blocks.get(count(event["index"]) ?? blocks.size - 1);
        if (block !== undefined) block.ended = true;
        break;
      }
      case "message_delta": {
        const before: JsonObject = message ?? {};
        const usage = { ...object(before["usage"]), ...object(event["usage"]) };
        message = { ...before, ...object(event["delta"]), usage };
        break;
      }
      case "error":
        error = event["error"] ?? event;
        break;
    }
  }
  if (message === null && error === undefined) return null;
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => finished(block));
  return {
    ...message,
    ...(message === null ? {} : { content }),
    ...(error === undefined ? {} : { type: "error", error }),
  };
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
