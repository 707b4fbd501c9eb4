import type { StepView } from "../step/step-view.ts";
import { type Fields, isFields, parsedJson } from "./json-values.ts";

/** A tool call that a model asked for. */
export interface ModelCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Members that hold the arguments of a call, by provider: OpenAI, Anthropic and Bedrock, Google, others. */
const ARGUMENTS = ["arguments", "input", "args", "parameters"];

/** The tool calls in the answer of a model call, in their order, whatever the provider. */
export function modelCallsOf(step: StepView): ModelCall[] {
  const found: ModelCall[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (!isFields(value)) return;
    const call = callOf(value);
    if (call === null) Object.values(value).forEach(walk);
    else found.push(call);
  };
  if (step.kind === "LLM") walk(parsedJson(step.output));
  return found;
}

function callOf(fields: Fields): ModelCall | null {
  const { name } = fields;
  const given = ARGUMENTS.map((member) => fields[member]).find((each) => each !== undefined);
  if (typeof name !== "string" || given === undefined) return null;
  if (typeof given !== "string") return isFields(given) ? { name, arguments: given } : null;
  return { name, arguments: parsedJson(given) ?? given };
}
