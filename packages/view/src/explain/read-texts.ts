import { isFields, listOf, parsedJson } from "../json/json-value.ts";
import { conversationOf, itemsOf, type StepItem } from "../step/step-items.ts";
import type { StepView } from "../step/step-view.ts";

/** A text that a model or the program had read. */
export interface ReadText {
  readonly kind: "input of the run" | "system prompt" | "tool definition" | "user message" | "result" | "model output";
  /** number of the step whose result or output it is; null: of no recorded step */
  readonly step: number | null;
  /** of a tool or a step; empty: none */
  readonly name: string;
  readonly text: string;
}

type Message = Omit<ReadText, "step">;

/** Requests that go on with a conversation that the provider keeps. */
const CONTINUES = ["previous_response_id", "conversation", "cachedContent", "cached_content"];

/** What the model had read when it answered step `number`, in the order in which it stands in its request. */
export function textsReadByModel(steps: readonly StepView[], number: number): ReadText[] {
  const earlier = steps.filter(({ step }) => step < number);
  const step = steps.find((each) => each.step === number);
  const before = step !== undefined && continuesKept(step) ? earlier.filter(({ kind }) => kind === "LLM") : [];
  const messages = [
    ...before.flatMap((each) => [...requestTexts(each), ...itemsOf(each).output.map(messageOf)]),
    ...(step === undefined ? [] : requestTexts(step)),
  ];
  const source = sourcesIn(earlier);
  return messages.map((message) => ({ ...message, step: source(message) }));
}

/** What stands in the request of a model call: system prompts, tool definitions, messages. `earlier`: the steps before it. */
export function textsOfRequest(step: StepView, earlier: readonly StepView[]): ReadText[] {
  const source = sourcesIn(earlier);
  return requestTexts(step).map((message) => ({ ...message, step: source(message) }));
}

/** Whether the provider adds messages that it keeps to those of the request. */
export function continuesKept({ input }: StepView): boolean {
  const body = parsedJson(input);
  return isFields(body) && CONTINUES.some((member) => (body[member] ?? null) !== null);
}

/** What the program had got before step `number`: results of its steps and outputs of models, in their order. */
export function textsReadByProgram(steps: readonly StepView[], number: number): ReadText[] {
  return steps.flatMap(({ step, kind, name, output }): ReadText[] =>
    step >= number || output === null
      ? []
      : [{ kind: kind === "LLM" ? "model output" : "result", step, name, text: saidBy(output) }],
  );
}

/** Gives the latest of these steps whose result or output a message repeats; null: none. */
function sourcesIn(steps: readonly StepView[]): (message: Message) => number | null {
  const outputs = new Map<string, number>();
  const failed: StepView[] = [];
  const keyOf = ({ kind, text }: Message): string => `${kind} ${text}`;
  for (const step of steps) {
    if (step.kind === "LLM") for (const each of itemsOf(step).output) outputs.set(keyOf(messageOf(each)), step.step);
    else if (step.output !== null)
      outputs.set(keyOf({ kind: "result", name: "", text: saidBy(step.output) }), step.step);
    else if (step.error !== null) failed.push(step);
  }
  return (message) => {
    const same = outputs.get(keyOf(message));
    if (same !== undefined || message.kind !== "result") return same ?? null;
    return failed.findLast(({ error }) => error !== null && message.text.endsWith(error))?.step ?? null;
  };
}

function requestTexts({ input }: StepView): Message[] {
  if (input === null) return [];
  const messages = conversationOf(input).map(messageOf);
  const body = parsedJson(input);
  const tools = isFields(body) ? (listOf(body["tools"]) ?? []) : [];
  const isPrompt = ({ kind }: Message): boolean => kind === "system prompt";
  return [
    ...messages.filter(isPrompt),
    ...tools.map((tool): Message => ({ kind: "tool definition", name: toolName(tool), text: JSON.stringify(tool) })),
    ...messages.filter((message) => !isPrompt(message)),
  ];
}

function toolName(tool: unknown): string {
  if (!isFields(tool)) return "";
  const { name } = isFields(tool["function"]) ? tool["function"] : tool;
  return typeof name === "string" ? name : "";
}

const KINDS: Readonly<Record<StepItem["role"], ReadText["kind"]>> = {
  system: "system prompt",
  user: "user message",
  assistant: "model output",
  tool: "result",
};

function messageOf({ is, role, name, text }: StepItem): Message {
  if (is === "result") return { kind: "result", name: name ?? "", text: saidBy(text) };
  return { kind: KINDS[role], name: "", text: is === "call" ? `${name ?? "?"}(${text})` : text };
}

/** A JSON string as what it says; all else as it is. */
function saidBy(text: string): string {
  const value = text.startsWith('"') ? parsedJson(text) : undefined;
  return typeof value === "string" ? value : text;
}
