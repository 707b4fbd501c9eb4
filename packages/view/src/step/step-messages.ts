import { count } from "../text/plain-text.ts";
import { type Fields, isFields, parsedJson } from "../json/json-value.ts";
import { decisionOf, decisionText } from "./decision.ts";
import type { StepView } from "./step-view.ts";
import { toolNames } from "./tool-names.ts";

/** Input and output of a step as texts for reading, one per message, tool call or tool result. */
export interface StepMessages {
  /** system prompt; null for a step that has none */
  system: string | null;
  /** messages since the model's last one: the user's text, or one text per tool result */
  input: string[];
  /** one text per message and per tool call of the response */
  output: string[];
}

const SYSTEM_ROLES: readonly unknown[] = ["system", "developer"];

export function messagesOf(step: StepView): StepMessages {
  const decision = decisionOf(step);
  if (decision !== null) return { system: null, input: [decisionText(decision)], output: [] };
  const body = step.input === null ? null : parsedJson(step.input);
  return {
    system: step.kind === "LLM" && isFields(body) ? systemOf(body) : null,
    input: step.input === null ? [] : inputTexts(step, body),
    output: outputTexts(step),
  };
}

/** From `instructions` and system messages (OpenAI) or `system` (Anthropic). */
function systemOf({ instructions, system, messages, input }: Fields): string | null {
  const list = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [];
  const texts = [
    ...(typeof instructions === "string" ? [instructions] : []),
    ...(typeof system === "string" ? [system] : Array.isArray(system) ? system.map(textOf) : []),
    ...list.filter((m) => isFields(m) && SYSTEM_ROLES.includes(m["role"])).map(textOf),
  ];
  return texts.length === 0 ? null : texts.join(" ");
}

function inputTexts({ kind, input: text }: StepView, body: unknown): string[] {
  if (!isFields(body)) return [text ?? ""];
  const { messages, input } = body;
  const list: unknown[] | null = Array.isArray(messages) ? messages : Array.isArray(input) ? input : null;
  if (list === null) return [typeof input === "string" ? input : (text ?? "")];
  if (kind === "EMBEDDING" || list.every((each) => typeof each === "string")) return [list.map(textOf).join(" | ")];
  const names = toolNames(list);
  const since = list.slice(list.findLastIndex(isFromModel) + 1).filter((m) => !isSystem(m));
  return (since.length > 0 ? since : list.slice(-1)).flatMap((message) => partsOf(message, names));
}

/** Whether the model wrote the message or requested the call. */
function isFromModel(message: unknown): boolean {
  if (!isFields(message)) return false;
  const { role, type } = message;
  return (
    role === "assistant" ||
    (role === undefined && type !== "function_call_output" && /call|reasoning/.test(String(type)))
  );
}

const isSystem = (message: unknown): boolean => isFields(message) && SYSTEM_ROLES.includes(message["role"]);

/** The text of a message, or one text per tool result in it, prefixed with the tool's name. */
function partsOf(message: unknown, names: ReadonlyMap<string, string>): string[] {
  if (!isFields(message)) return [textOf(message)];
  const { role, type, content, tool_call_id: chatId, call_id: callId, output } = message;
  const named = (id: unknown, text: string): string => {
    const name = names.get(String(id));
    return name === undefined ? text : `${name}: ${text}`;
  };
  if (role === "tool") return [named(chatId, textOf(message))];
  if (type === "function_call_output") return [named(callId, textOf(output))];
  if (!Array.isArray(content)) return [textOf(message)];
  const results = content.filter((part) => isFields(part) && part["type"] === "tool_result") as Fields[];
  const rest = content.filter((part) => !results.includes(part as Fields));
  return [
    ...results.map((result) => named(result["tool_use_id"], textOf(result["content"] ?? ""))),
    ...(rest.length === 0 ? [] : [rest.map(textOf).join(" ")]),
  ];
}

function outputTexts(step: StepView): string[] {
  if (step.output === null) return eventTexts(step);
  const body = parsedJson(step.output);
  if (!isFields(body)) return [step.output];
  const { choices, messages, content, output, data } = body;
  if (Array.isArray(choices)) return choices.flatMap((c) => messageTexts(isFields(c) ? c["message"] : c));
  if (Array.isArray(messages) && step.record === null) return [messages.map(textOf).join(" | ")];
  if (step.kind === "EMBEDDING" && Array.isArray(data)) return [count(data.length, "vector")];
  if (Array.isArray(content)) return content.map(textOf);
  if (Array.isArray(output)) return output.flatMap(messageTexts);
  return [step.output];
}

function eventTexts({ events }: StepView): string[] {
  if (events === null) return [];
  const shown = events.map(({ name, data }) => (name === null ? data : `${name}: ${data}`));
  return [`${count(events.length, "event")}: ${shown.join(" · ")}`];
}

/** The text of a message, then one text per tool call in it. */
function messageTexts(message: unknown): string[] {
  if (!isFields(message)) return [textOf(message)];
  const { tool_calls: calls, ...rest } = message;
  if (!Array.isArray(calls) || calls.length === 0) return [textOf(message)];
  const text = typeof rest["content"] === "string" && rest["content"] !== "" ? [rest["content"]] : [];
  return [...text, ...calls.map(callText)];
}

function callText(call: unknown): string {
  const made = isFields(call) && isFields(call["function"]) ? call["function"] : {};
  return `${text(made["name"]) ?? "?"}(${text(made["arguments"]) ?? ""})`;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  if (Array.isArray(message)) return message.map(textOf).join(" ");
  if (!isFields(message)) return JSON.stringify(message) ?? "";
  const { content, text: plain, thinking, tool_calls: calls, name, input, arguments: args } = message;
  const parts: string[] = [plain, thinking].filter((part) => typeof part === "string");
  if (typeof content === "string") parts.push(content);
  else if (Array.isArray(content)) parts.push(...content.map(textOf));
  if (Array.isArray(calls)) parts.push(...calls.map(callText));
  if (typeof name === "string" && (input !== undefined || args !== undefined))
    parts.push(`${name}(${typeof args === "string" ? args : JSON.stringify(input)})`);
  return parts.length === 0 ? JSON.stringify(message) : parts.join(" ");
}
