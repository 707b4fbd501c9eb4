import { messagesOf } from "../step/step-messages.ts";
import type { StepView } from "../step/step-view.ts";
import { type Fields, isFields, parsedJson } from "./json-values.ts";

/** A text that a model or the program had read. */
export interface ReadText {
  readonly kind: "input of the run" | "system prompt" | "tool definition" | "user message" | "result" | "model output";
  /** number of the step whose result or output it is; null: of no recorded step */
  readonly step: number | null;
  readonly name: string;
  readonly text: string;
}

type Message = Omit<ReadText, "step">;

const SYSTEM: readonly unknown[] = ["system", "developer"];
const MODEL: readonly unknown[] = ["assistant", "model"];
/** Requests that go on with a conversation that the provider keeps. */
const CONTINUES = ["previous_response_id", "conversation", "cachedContent", "cached_content"];

/** What the model had read when it answered step `number`, in the order in which it stands in its request. */
export function textsReadByModel(steps: readonly StepView[], number: number): ReadText[] {
  const earlier = steps.filter(({ step }) => step < number);
  const step = steps.find((each) => each.step === number);
  if (step === undefined) return [];
  const own = requestTexts(step).map((message) => ({ ...message, step: stepOf(message, earlier) }));
  const body = parsedJson(step.input);
  if (!isFields(body) || !CONTINUES.some((member) => body[member] !== undefined && body[member] !== null)) return own;
  const before = earlier
    .filter(({ kind }) => kind === "LLM")
    .flatMap((each) => [...requestTexts(each), ...outputOf(each)]);
  return [...before.map((message) => ({ ...message, step: stepOf(message, earlier) })), ...own];
}

/** What the program had got before step `number`: results of its steps and outputs of models, in their order. */
export function textsReadByProgram(steps: readonly StepView[], number: number): ReadText[] {
  return steps
    .filter(({ step }) => step < number)
    .flatMap((step) => outputOf(step).map((text) => ({ ...text, step: step.step })));
}

function outputOf({ kind, name, output }: StepView): Message[] {
  if (output === null) return [];
  return [{ kind: kind === "LLM" ? "model output" : "result", name, text: plainText(output) }];
}

/** The latest step that gave this result or output; null: none. */
function stepOf({ kind, text }: Message, earlier: readonly StepView[]): number | null {
  const same = (step: StepView): boolean =>
    kind === "result"
      ? step.kind !== "LLM" && (step.output === null ? endsWithError(step, text) : plainText(step.output) === text)
      : step.kind === "LLM" && text !== "" && messagesOf(step).output.includes(text);
  return kind === "result" || kind === "model output" ? (earlier.findLast(same)?.step ?? null) : null;
}

const endsWithError = ({ error }: StepView, text: string): boolean => error !== null && text.endsWith(error);

function requestTexts(step: StepView): Message[] {
  const body = parsedJson(step.input);
  const { system } = messagesOf(step);
  const prompt: Message[] = system === null ? [] : [{ kind: "system prompt", name: "", text: system }];
  if (!isFields(body))
    return step.input === null ? prompt : [...prompt, { kind: "user message", name: "", text: step.input }];
  const tools = Array.isArray(body["tools"]) ? body["tools"] : [];
  const { messages, input, contents, prompt: plain } = body;
  const list = [messages, input, contents].find((each) => Array.isArray(each)) ?? [];
  const single = [input, plain].filter((each) => typeof each === "string");
  return [
    ...prompt,
    ...tools.map((tool): Message => ({ kind: "tool definition", name: toolName(tool), text: JSON.stringify(tool) })),
    ...single.map((text): Message => ({ kind: "user message", name: "", text })),
    ...withNames(list as unknown[]),
  ];
}

function toolName(tool: unknown): string {
  if (!isFields(tool)) return "";
  const { name } = isFields(tool["function"]) ? tool["function"] : tool;
  return typeof name === "string" ? name : "";
}

/** The parts of messages; a result gets the name of the tool by the id of its call. */
function withNames(list: readonly unknown[]): Message[] {
  const names = new Map<unknown, string>();
  return list.flatMap((message) => {
    if (typeof message === "string") return [{ kind: "user message", name: "", text: message } satisfies Message];
    if (!isFields(message) || SYSTEM.includes(message["role"])) return [];
    return partsOf(message).flatMap((part) => {
      const call = callOf(part);
      if (call !== null) {
        names.set(call.id, call.name);
        return [{ kind: "model output", name: "", text: call.text } satisfies Message];
      }
      return [textOf(part, message, names)];
    });
  });
}

/** A message whose content is a list is read part by part; calls of OpenAI's chat stand beside the content. */
function partsOf(message: Fields): unknown[] {
  const { content, parts, tool_calls: calls } = message;
  const list = Array.isArray(parts) ? parts : content;
  const whole = message["role"] === "tool" || !Array.isArray(list) ? [message] : list;
  return [...whole, ...(Array.isArray(calls) ? calls : [])];
}

const CALLS = ["functionCall", "toolUse", "function"];
const RESULTS = ["functionResponse", "toolResult"];

function callOf(part: unknown): { id: unknown; name: string; text: string } | null {
  if (!isFields(part)) return null;
  const inner = CALLS.map((member) => part[member]).find(isFields) ?? part;
  const given = inner["arguments"] ?? inner["args"] ?? inner["input"];
  const { name } = inner;
  if (typeof name !== "string" || given === undefined) return null;
  const id = part["call_id"] ?? part["id"] ?? inner["toolUseId"] ?? name;
  return { id, name, text: `${name}(${typeof given === "string" ? given : JSON.stringify(given)})` };
}

function textOf(part: unknown, { role, name }: Fields, names: ReadonlyMap<unknown, string>): Message {
  if (!isFields(part)) return { kind: kindOf(role), name: "", text: String(part) };
  const result = RESULTS.map((member) => part[member]).find(isFields);
  const isResult =
    result !== undefined ||
    part["role"] === "tool" ||
    ["tool_result", "function_call_output"].includes(String(part["type"]));
  if (!isResult) return { kind: kindOf(role), name: "", text: contentOf(part) };
  const id =
    part["tool_use_id"] ?? part["tool_call_id"] ?? part["call_id"] ?? result?.["toolUseId"] ?? result?.["name"];
  return {
    kind: "result",
    name: names.get(id) ?? (typeof name === "string" ? name : ""),
    text: plainText(contentOf(result ?? part)),
  };
}

const kindOf = (role: unknown): ReadText["kind"] => (MODEL.includes(role) ? "model output" : "user message");

/** The text of a part, or its content as JSON. */
function contentOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map(contentOf).join("\n");
  if (!isFields(part)) return JSON.stringify(part) ?? "";
  const inner = part["text"] ?? part["content"] ?? part["output"] ?? part["response"] ?? part["json"];
  if (inner === undefined || inner === null) return JSON.stringify(part);
  return isFields(inner) && inner["text"] === undefined ? JSON.stringify(inner) : contentOf(inner);
}

/** A JSON string as what it says; all else as it is. */
function plainText(text: string): string {
  const value = text.startsWith('"') ? parsedJson(text) : undefined;
  return typeof value === "string" ? value : text;
}
