import type { StreamEvent } from "../wire/event-stream.ts";
import { count, object, readJson, text, type JsonObject } from "../wire/json.ts";

interface Block {
  text: string;
  reasoning: string;
  signature: string | undefined;
  toolUse: { start: JsonObject; input: string } | null;
}

/** The response of `Converse` that the events of its stream add up to; an exception in the stream is its error. */
export function joinConverse(events: readonly StreamEvent[]): JsonObject | null {
  if (events.length === 0) return null;
  const blocks = new Map<number, Block>();
  const whole = new Map<string, unknown>();
  for (const { name, value } of events) {
    const event = object(value);
    if (/exception/i.test(name ?? "")) whole.set("error", { type: name, message: text(event["message"]) ?? "" });
    else if (name === "contentBlockStart") blockOf(blocks, event).toolUse = startOf(event);
    else if (name === "contentBlockDelta") addDelta(blockOf(blocks, event), object(event["delta"]));
    else if (name === "messageStop") whole.set("stopReason", event["stopReason"]);
    else if (name === "metadata") {
      whole.set("usage", event["usage"]);
      whole.set("metrics", event["metrics"]);
    }
  }
  const content = [...blocks].sort(([a], [b]) => a - b).flatMap(([, block]) => contentOf(block));
  return { output: { message: { role: "assistant", content } }, ...Object.fromEntries(whole) };
}

/** Chunks of an invoked model: in each an event of the model's own stream, in base64. */
export function invokedEvents(events: readonly StreamEvent[]): StreamEvent[] {
  return events.flatMap(({ name, value }) => {
    const bytes = text(object(value)["bytes"]);
    if (name !== "chunk" || bytes === undefined) return [{ name, value }];
    const inner = object(readJson(Buffer.from(bytes, "base64").toString("utf8")));
    // the last chunk carries Bedrock's own metrics too
    const [only, ...others] = Object.keys(inner).filter((key) => !key.startsWith("amazon-"));
    const isNested = only !== undefined && typeof inner[only] === "object" && others.length === 0;
    return [isNested ? { name: only, value: inner[only] } : { name: text(inner["type"]) ?? null, value: inner }];
  });
}

function blockOf(blocks: Map<number, Block>, event: JsonObject): Block {
  const index = count(event["contentBlockIndex"]) ?? 0;
  const block = blocks.get(index) ?? { text: "", reasoning: "", signature: undefined, toolUse: null };
  blocks.set(index, block);
  return block;
}

function startOf(event: JsonObject): Block["toolUse"] {
  const start = object(event["start"])["toolUse"];
  return start === undefined ? null : { start: object(start), input: "" };
}

function addDelta(block: Block, delta: JsonObject): void {
  block.text += text(delta["text"]) ?? "";
  const thought = object(delta["reasoningContent"]);
  block.reasoning += text(thought["text"]) ?? "";
  block.signature = text(thought["signature"]) ?? block.signature;
  if (block.toolUse !== null) block.toolUse.input += text(object(delta["toolUse"])["input"]) ?? "";
}

function contentOf({ text: said, reasoning, signature, toolUse }: Block): JsonObject[] {
  const content: JsonObject[] = [];
  if (reasoning !== "" || signature !== undefined)
    content.push({ reasoningContent: { reasoningText: { text: reasoning, signature } } });
  if (said !== "") content.push({ text: said });
  if (toolUse !== null) {
    const input = toolUse.input === "" ? {} : (readJson(toolUse.input) ?? toolUse.input);
    content.push({ toolUse: { ...toolUse.start, input } });
  }
  return content;
}
