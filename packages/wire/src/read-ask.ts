import type { Ask, AskMessage, ToolOffer } from "./ask.ts";
import { formatOf } from "./formats.ts";
import { asJson, asList, type Json } from "./json.ts";

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  /** with its query */
  readonly path: string;
  /** of the client's own header for retries */
  readonly retryCount?: string | undefined;
  readonly raw: Buffer;
}

function parse(raw: Buffer): Json {
  try {
    return asJson(JSON.parse(raw.toString("utf8")));
  } catch {
    return {};
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).map(partText).join(" ").trim();
}

function partText(part: unknown): string {
  const block = asJson(part);
  if (typeof block["text"] === "string") return block["text"];
  const nested = asJson(block["image_url"])["url"] ?? block["image_url"];
  if (typeof nested === "string") return `<image of ${nested.length} characters>`;
  const data = asJson(block["source"] ?? block["inlineData"])["data"];
  if (typeof data === "string") return `<image of ${data.length} characters>`;
  return "";
}

/** Chat and messages have `messages`, responses have `input`: a text, or a list of items. */
function items(body: Json): Json[] {
  if (typeof body["input"] === "string") return [{ role: "user", content: body["input"] }];
  return asList(body["messages"] ?? body["input"]).map(asJson);
}

function isModels(item: Json): boolean {
  return item["role"] === "assistant" || item["type"] === "function_call";
}

function resultsOf(item: Json): string[] {
  if (item["role"] === "tool") return [textOf(item["content"])];
  if (item["type"] === "function_call_output") return [textOf(item["output"])];
  const blocks = asList(item["content"]).map(asJson);
  return blocks.filter((block) => block["type"] === "tool_result").map((block) => textOf(block["content"]));
}

function isSystems({ role }: Json): boolean {
  return role === "system" || role === "developer";
}

/** Tools that an item of the model asks for, in the form of whichever format. */
function askedTools(item: Json): string[] {
  if (item["type"] === "function_call") return [String(item["name"])];
  const calls = asList(item["tool_calls"]).map((call) => asJson(asJson(call)["function"])["name"]);
  const parts = asList(item["content"]).map(asJson);
  const used = parts.flatMap((part) => {
    const call = part["type"] === "tool_use" ? part : asJson(part["functionCall"] ?? part["toolUse"]);
    return call["name"] === undefined ? [] : [call["name"]];
  });
  return [...calls, ...used].map(String);
}

function messagesOf(item: Json): AskMessage[] {
  const results = resultsOf(item).map((text): AskMessage => ({ role: "tool", text }));
  const text = textOf(item["content"]);
  if (isModels(item)) {
    const asksFor = askedTools(item);
    return [{ role: "assistant", text, ...(asksFor.length > 0 ? { asksFor } : {}) }];
  }
  if (isSystems(item)) return [{ role: "system", text }];
  const isSaid = item["role"] === "user" && (text !== "" || results.length === 0);
  return [...results, ...(isSaid ? [{ role: "user" as const, text }] : [])];
}

function offer(entry: unknown): ToolOffer {
  const tool = asJson(entry);
  const inner = "function" in tool ? asJson(tool["function"]) : tool;
  return { name: String(inner["name"]), schema: asJson(inner["parameters"] ?? inner["input_schema"]) };
}

/**
 * Reads a request in the format of its path.
 *
 * @param serial stands in the ids of the answer
 * @param seenBefore how often an equal request came before: the attempt, where the client does not count
 */
export function readAsk({ method, path, retryCount, raw }: ReceivedRequest, serial: string, seenBefore = 0): Ask {
  const route = path.split("?")[0] ?? path;
  const format = formatOf(route);
  const body = parse(raw);
  const read = format?.read?.(body, route) ?? body;
  const list = items(read);
  const users = list.filter((item) => item["role"] === "user" && textOf(item["content"]) !== "");
  const lastAnswer = list.findLastIndex(isModels);
  const beside = textOf(read["system"] ?? read["instructions"]);
  const within = list.filter(isSystems).map(({ content }) => textOf(content));
  return {
    api: format?.name ?? "other",
    method,
    path,
    serial,
    model: typeof read["model"] === "string" ? read["model"] : "",
    stream: read["stream"] === true,
    body,
    raw,
    attempt: retryCount === undefined ? seenBefore : Number(retryCount),
    system: [beside, ...within].filter((text) => text !== "").join("\n"),
    messages: list.flatMap(messagesOf),
    lastUser: textOf(users.at(-1)?.["content"]),
    turns: list.filter((item, at) => isModels(item) && !(at > 0 && isModels(list[at - 1] ?? {}))).length,
    results: list.slice(lastAnswer + 1).flatMap(resultsOf),
    tools: asList(read["tools"]).map(offer),
  };
}
