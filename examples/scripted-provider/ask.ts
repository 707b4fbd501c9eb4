import type { IncomingMessage } from "node:http";
import { type Wire, wireOf } from "./wire.ts";

export type Json = Record<string, unknown>;

export type Api = "chat" | "responses" | "messages" | "count" | "embeddings" | "speech" | "files" | "other";

export interface ToolOffer {
  readonly name: string;
  readonly schema: Json;
}

/** A request, as far as a script wants to know it. */
export interface Ask {
  readonly api: Api;
  /** absent for the formats of OpenAI and Anthropic */
  readonly wire?: Wire;
  readonly method: string;
  readonly path: string;
  readonly serial: string;
  readonly model: string;
  readonly stream: boolean;
  /** {} where the body is no JSON object */
  readonly body: Json;
  readonly raw: Buffer;
  /** 0 for a first try; counted by the client's own header, else by equal bodies */
  readonly attempt: number;
  /** text of the last message that a person wrote */
  readonly lastUser: string;
  /** answers of the model that the request already contains */
  readonly turns: number;
  /** what the tools said since the model's last answer */
  readonly results: readonly string[];
  readonly tools: readonly ToolOffer[];
}

const PATHS: readonly (readonly [suffix: string, api: Api])[] = [
  ["/chat/completions", "chat"],
  ["/responses", "responses"],
  ["/messages/count_tokens", "count"],
  ["/messages", "messages"],
  ["/embeddings", "embeddings"],
  ["/audio/speech", "speech"],
  ["/files", "files"],
];

export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
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
  const data = asJson(block["source"])["data"];
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

function offer(entry: unknown): ToolOffer {
  const tool = asJson(entry);
  const inner = "function" in tool ? asJson(tool["function"]) : tool;
  return { name: String(inner["name"]), schema: asJson(inner["parameters"] ?? inner["input_schema"]) };
}

export function readAsk(request: IncomingMessage, raw: Buffer, serial: string, seenBefore: number): Ask {
  const path = request.url ?? "/";
  const route = path.split("?")[0] ?? path;
  const api = PATHS.find(([suffix]) => route.endsWith(suffix))?.[1] ?? "other";
  const body = parse(raw);
  const wire = wireOf(route);
  const read = wire?.chat(body, route) ?? body;
  const list = items(read);
  const users = list.filter((item) => item["role"] === "user" && textOf(item["content"]) !== "");
  const lastAnswer = list.findLastIndex(isModels);
  const retry = request.headers["x-stainless-retry-count"];
  return {
    api,
    ...(wire === undefined ? {} : { wire }),
    method: request.method ?? "GET",
    path,
    serial,
    model: typeof read["model"] === "string" ? read["model"] : "",
    stream: read["stream"] === true,
    body,
    raw,
    attempt: typeof retry === "string" ? Number(retry) : seenBefore,
    lastUser: textOf(users.at(-1)?.["content"]),
    turns: list.filter((item, at) => isModels(item) && !(at > 0 && isModels(list[at - 1] ?? {}))).length,
    results: list.slice(lastAnswer + 1).flatMap(resultsOf),
    tools: asList(read["tools"]).map(offer),
  };
}
