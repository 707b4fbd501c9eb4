import { type Fields, isFields, listOf, parsedJson } from "../json/json-value.ts";
import type { StepView } from "./step-view.ts";
import { toolNames } from "./tool-names.ts";

/** One entry of a transcript: a text or reasoning of a message, a tool call that the model requested, or the result of one. */
export interface StepItem {
  readonly is: "text" | "reasoning" | "call" | "result";
  /** system, user, assistant or tool; what a provider calls otherwise is given the nearest of these */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** name of the tool that is called, or whose result it is; null: not known, or no tool */
  readonly name: string | null;
  readonly text: string;
}

/** What one step adds to the conversation: what is new in the request, and the answer. */
export interface StepItems {
  /** messages since the model's last one, without system prompts where the request continues a conversation */
  readonly input: readonly StepItem[];
  readonly output: readonly StepItem[];
}

type Role = StepItem["role"];

const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  assistant: "assistant",
  model: "assistant",
  tool: "tool",
  function: "tool",
  user: "user",
};
const roleOf = (value: unknown, otherwise: Role): Role => ROLES[String(value).toLowerCase()] ?? otherwise;

/** A step that is no model call has its input and output as they are. */
export function itemsOf({ kind, input, output }: Pick<StepView, "kind" | "input" | "output">): StepItems {
  if (kind !== "LLM")
    return {
      input: input === null ? [] : [item("text", "user", input)],
      output: output === null ? [] : [item("text", "tool", output)],
    };
  return {
    input: input === null ? [] : requestItems(input),
    output: output === null ? [] : answerItems(output),
  };
}

const item = (is: StepItem["is"], role: Role, text: string, name: string | null = null): StepItem => ({
  is,
  role,
  name,
  text,
});

function requestItems(text: string): StepItem[] {
  const list = messagesIn(text);
  const last = list?.findLastIndex(isFromModel) ?? -1;
  if (list === null || last < 0) return conversationOf(text);
  const fresh = list.slice(last + 1).flatMap((each) => messageItems(each, "user", toolNames(list)));
  return fresh.filter(({ role }) => role !== "system");
}

/** All of a request of a model, with what earlier turns have added: system prompts that stand beside the messages come first. */
export function conversationOf(text: string): StepItem[] {
  const body = parsedJson(text);
  if (!isFields(body)) return [item("text", "user", text)];
  const list = messagesIn(text);
  const single = [body["input"], body["prompt"]].find((each) => typeof each === "string") ?? text;
  const names = toolNames(list ?? []);
  return [...instructions(body), ...(list ?? [single]).flatMap((each) => messageItems(each, "user", names))];
}

/** The messages of a request; null: it has no list of them. */
function messagesIn(text: string): unknown[] | null {
  const body = parsedJson(text);
  if (!isFields(body)) return null;
  return [body["messages"], body["input"], body["contents"]].map(listOf).find((each) => each !== null) ?? null;
}

/** System prompts that stand beside the messages: OpenAI's responses, Anthropic, Google. */
function instructions({ instructions, system, systemInstruction, system_instruction: snake }: Fields): StepItem[] {
  return [instructions, system, systemInstruction, snake]
    .map((each) => plainText(each))
    .filter((text) => text !== "")
    .map((text) => item("text", "system", text));
}

function isFromModel(message: unknown): boolean {
  if (!isFields(message)) return false;
  const { role, type } = message;
  if (role !== undefined) return roleOf(role, "user") === "assistant";
  return typeof type === "string" && type !== "function_call_output" && /call|reasoning/.test(type);
}

function answerItems(text: string): StepItem[] {
  const body = parsedJson(text);
  if (!isFields(body)) return [item("text", "assistant", text)];
  const { choices, candidates, output, messages, content, message } = body;
  const made =
    listOf(choices)?.flatMap((each) => messageItems(isFields(each) ? (each["message"] ?? each) : each, "assistant")) ??
    listOf(candidates)?.flatMap((each) => messageItems(isFields(each) ? each["content"] : each, "assistant")) ??
    (listOf(output) ?? listOf(messages))?.flatMap((each) => messageItems(each, "assistant")) ??
    oneMessage(isFields(output) ? output["message"] : content === undefined ? message : (message ?? body));
  if (made.length > 0) return made;
  // a refusal of the provider is the error of its step, and no message
  return isFields(body["error"]) ? [] : [item("text", "assistant", text)];
}

const oneMessage = (message: unknown): StepItem[] => (isFields(message) ? messageItems(message, "assistant") : []);

/** A message of any provider: its reasoning, its texts, its tool calls or results, in this order. */
function messageItems(message: unknown, otherwise: Role, names?: ReadonlyMap<string, string>): StepItem[] {
  if (!isFields(message)) return [item("text", otherwise, plainText(message))];
  const { type, content, parts, reasoning_content: reasoning, refusal, tool_calls: calls } = message;
  const role = roleOf(message["role"], otherwise);
  const nameOf = (id: unknown): string | null => names?.get(String(id)) ?? null;
  if (typeof type === "string" && message["role"] === undefined && type !== "message")
    return partItems(message, role, nameOf);
  if (role === "tool") return [item("result", role, plainText(content), nameOf(message["tool_call_id"]))];
  return [
    ...(typeof reasoning === "string" && reasoning !== "" ? [item("reasoning", role, reasoning)] : []),
    ...(listOf(content) ?? listOf(parts) ?? [content]).flatMap((part) => partItems(part, role, nameOf)),
    ...(typeof refusal === "string" && refusal !== "" ? [item("text", role, refusal)] : []),
    ...(listOf(calls) ?? []).map((call) => callItem(call)),
  ];
}

function callItem(call: unknown): StepItem {
  const made = isFields(call) && isFields(call["function"]) ? call["function"] : isFields(call) ? call : {};
  const args = made["arguments"] ?? made["input"] ?? made["args"];
  return item("call", "assistant", asText(args), typeof made["name"] === "string" ? made["name"] : null);
}

/** One part of a message's content, or one item of OpenAI's responses. */
function partItems(part: unknown, role: Role, nameOf: (id: unknown) => string | null): StepItem[] {
  if (part === null || part === undefined || part === "") return [];
  if (!isFields(part)) return [item("text", role, plainText(part))];
  const { type } = part;
  const tool = googlePart(part) ?? bedrockPart(part, nameOf);
  if (tool !== null) return [tool];
  if (type === "tool_use" || type === "function_call") return [callItem(part)];
  if (type === "tool_result") return [resultItem(part["content"], nameOf(part["tool_use_id"]))];
  if (type === "function_call_output") return [resultItem(part["output"], nameOf(part["call_id"]))];
  if (type === "thinking" || type === "reasoning")
    return textItem("reasoning", role, plainText(part["thinking"] ?? part["summary"] ?? part["text"]));
  return textItem("text", role, plainText(part));
}

const resultItem = (content: unknown, name: string | null): StepItem =>
  item("result", "tool", plainText(content), name);

function googlePart({ functionCall, functionResponse: response }: Fields): StepItem | null {
  if (isFields(functionCall)) return callItem(functionCall);
  return isFields(response) ? item("result", "tool", asText(response["response"]), nameOrNull(response["name"])) : null;
}

function bedrockPart({ toolUse, toolResult: result }: Fields, nameOf: (id: unknown) => string | null): StepItem | null {
  if (isFields(toolUse)) return callItem(toolUse);
  return isFields(result) ? resultItem(result["content"], nameOf(result["toolUseId"])) : null;
}

const textItem = (is: "text" | "reasoning", role: Role, text: string): StepItem[] =>
  text === "" ? [] : [item(is, role, text)];

const nameOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The text of a value; media is named by its type. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  const list = listOf(value);
  if (list) return list.map(plainText).join("\n");
  if (!isFields(value)) return JSON.stringify(value) ?? "";
  const { text, content, parts, type, json } = value;
  if (typeof text === "string") return text;
  if (json !== undefined) return asText(json);
  if (content !== undefined || parts !== undefined) return plainText(content ?? parts);
  if (typeof type === "string" && /image|audio|file|video|document/.test(type)) return `[${type}]`;
  return JSON.stringify(value);
}
