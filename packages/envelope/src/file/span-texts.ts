import { ATTR } from "../schema/attributes.ts";
import type { OtlpSpan } from "../otlp/span.ts";

/** A message in the shape that most providers take. */
interface Message {
  role?: string;
  content?: string;
  tool_calls?: { id?: string; function: { name?: string; arguments?: string } }[];
  /** of a result: the call that it answers */
  tool_call_id?: string;
}

/** What went into a span's step and what came out of it: text, or JSON text; null: it does not say. */
export interface SpanTexts {
  readonly input: string | null;
  readonly output: string | null;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Attributes with the whole of it, by convention: OpenInference, OpenTelemetry's generative AI, AI SDK, OpenLLMetry. */
const WHOLE = {
  input: [ATTR.inputValue, "gen_ai.tool.call.arguments", "ai.toolCall.args", "ai.value", "traceloop.entity.input"],
  output: [
    ATTR.outputValue,
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "ai.response.object",
    "traceloop.entity.output",
  ],
};
/** Attributes with a list of messages as JSON. */
const LISTS = {
  input: ["gen_ai.system_instructions", "gen_ai.input.messages", "ai.prompt.messages"],
  output: ["gen_ai.output.messages"],
};
/** Attributes that number messages: `<prefix>.0.role`. */
const NUMBERED = {
  input: /^(?:llm\.input_messages|gen_ai\.prompt)\.(\d{1,6})\.(.+)$/,
  output: /^(?:llm\.output_messages|gen_ai\.completion)\.(\d{1,6})\.(.+)$/,
};
/** Events with a message each. */
const EVENT = {
  input: /^gen_ai\.(system|user|assistant|tool)\.message$/,
  output: /^gen_ai\.(choice)$/,
};

/** Reads them by whichever convention the span follows; messages become `{"messages": [...]}`. */
export function spanTexts(span: OtlpSpan): SpanTexts {
  return { input: textOf(span, "input"), output: textOf(span, "output") };
}

function textOf(span: OtlpSpan, side: "input" | "output"): string | null {
  const { attributes } = span;
  for (const key of WHOLE[side]) {
    const text = textual(attributes[key]);
    if (text !== "") return text;
  }
  const messages = [
    ...numbered(attributes, NUMBERED[side]),
    ...LISTS[side].flatMap((key) => listed(attributes[key], key)),
    ...(side === "output" ? responded(attributes) : []),
  ];
  if (messages.length === 0) {
    for (const { name, attributes: said } of span.events) {
      const role = EVENT[side].exec(name)?.[1];
      if (role !== undefined) messages.push(told(said, role === "choice" ? "assistant" : role));
    }
  }
  if (messages.length > 0) return JSON.stringify({ messages });
  return textual(attributes[side === "input" ? "ai.prompt" : "gen_ai.completion"]) || null;
}

function textual(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value, (_, each: unknown) => plain(each));
}

const plain = (value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

function numbered(attributes: Attributes, pattern: RegExp): Message[] {
  const found = new Map<number, Message>();
  for (const [key, value] of Object.entries(attributes)) {
    const parts = pattern.exec(key);
    if (parts === null || typeof value !== "string") continue;
    const at = Number(parts[1]);
    const message = found.get(at) ?? {};
    found.set(at, message);
    setField(message, parts[2]!.replace(/^message\./, ""), value);
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, message]) => message);
}

function setField(message: Message, field: string, value: string): void {
  const call = /^tool_calls\.(\d{1,3})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(field);
  if (call !== null) {
    const calls = (message.tool_calls ??= []);
    const at = Number(call[1]);
    while (calls.length <= at) calls.push({ function: {} });
    const set = call[2] === "id" ? calls[at]! : calls[at]!.function;
    Object.assign(set, { [call[2]!]: value });
  } else if (field === "tool_call_id") message.tool_call_id = value;
  else if (field === "role") message.role = value;
  else if (field === "content" || /^contents\.\d+\.message_content\.text$/.test(field)) addText(message, value);
}

function addText(message: Message, text: string): void {
  message.content = message.content === undefined ? text : `${message.content}\n${text}`;
}

function listed(value: unknown, key: string): Message[] {
  const list = typeof value === "string" ? parsed(value) : value;
  if (!Array.isArray(list)) return typeof value === "string" && value !== "" ? [{ content: value }] : [];
  if (key === "gen_ai.system_instructions") return [messageOf({ role: "system", parts: list })];
  return list.flatMap(messagesOf);
}

/** Several results of tools in one message become one each, since each answers a call of its own. */
function messagesOf(value: unknown): Message[] {
  if (typeof value !== "object" || value === null) return [messageOf(value)];
  const { role, content, parts } = value as Record<string, unknown>;
  const results = [content, parts].flat().filter((part) => part !== undefined);
  if (results.length < 2 || results.some((part) => resultOf(part) === null)) return [messageOf(value)];
  return results.map((part) => messageOf({ role, content: [part] }));
}

/** A part that is the result of a tool: AI SDK, OpenTelemetry; null: it is something else. */
function resultOf(part: unknown): { readonly id: unknown; readonly output: unknown } | null {
  if (typeof part !== "object" || part === null) return null;
  const { type, toolCallId, id, output, result, response } = part as Record<string, unknown>;
  if (type !== "tool-result" && type !== "tool_call_response") return null;
  return { id: toolCallId ?? id, output: unwrapped(output ?? result ?? response) };
}

/** The AI SDK says of an output whether it is text or JSON. */
function unwrapped(output: unknown): unknown {
  if (typeof output !== "object" || output === null) return output;
  const { type, value } = output as Record<string, unknown>;
  return /^(?:error-)?(?:text|json)$/.test(textual(type)) && value !== undefined ? value : output;
}

function messageOf(value: unknown): Message {
  if (typeof value !== "object" || value === null) return { content: textual(value) };
  const { role, content, parts, tool_calls: calls, tool_call_id: answered } = value as Record<string, unknown>;
  const message: Message = {};
  if (typeof answered === "string") message.tool_call_id = answered;
  if (typeof role === "string") message.role = role;
  for (const part of [content, parts].flat()) addPart(message, part);
  if (Array.isArray(calls)) for (const call of calls) addCall(message, call);
  return message;
}

function addPart(message: Message, part: unknown): void {
  if (typeof part === "string") return addText(message, part);
  if (typeof part !== "object" || part === null) return;
  const { type, text, content, response, result, output } = part as Record<string, unknown>;
  const told = resultOf(part);
  if (told !== null) {
    if (typeof told.id === "string") message.tool_call_id = told.id;
    return addText(message, textual(told.output));
  }
  if (type === "tool_call" || type === "tool-call" || type === "tool_use") return addCall(message, part);
  const said = [text, content, response, result, output].find((each) => each !== undefined && each !== null);
  addText(message, said === undefined ? `[${textual(type)}]` : textual(said));
}

function addCall(message: Message, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const call = value as Record<string, unknown>;
  const named = (call["function"] ?? call) as Record<string, unknown>;
  const name = named["name"] ?? named["toolName"];
  const args = named["arguments"] ?? named["args"] ?? named["input"];
  const id = textual(call["id"] ?? call["toolCallId"]);
  const made = { name: textual(name), arguments: textual(args) };
  (message.tool_calls ??= []).push({ ...(id !== "" && { id }), function: made });
}

/** The AI SDK's answer. */
function responded(attributes: Attributes): Message[] {
  const text = textual(attributes["ai.response.text"]);
  const calls = parsed(textual(attributes["ai.response.toolCalls"]));
  if (text === "" && !Array.isArray(calls)) return [];
  const message: Message = { role: "assistant", ...(text !== "" && { content: text }) };
  if (Array.isArray(calls)) for (const call of calls) addCall(message, call);
  return [message];
}

function told(said: Attributes, role: string): Message {
  const whole = said["message"] ?? said["gen_ai.event.content"];
  const value = typeof whole === "string" ? (parsed(whole) ?? { content: whole }) : (whole ?? said);
  const { message } = value as { message?: unknown };
  return { role, ...messageOf(message ?? value) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
