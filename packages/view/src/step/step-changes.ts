import { type Fields, isFields, parsedJson, pointerPart } from "../json/json-value.ts";
import { messagesOf } from "./step-messages.ts";
import type { StepView } from "./step-view.ts";

/** How a step differs from the one in its place in another run. */
export interface StepChange {
  readonly part: "model" | "system prompt" | "input" | "parameters" | "output" | "status";
  /** JSON pointer into the part; empty: the part as a whole */
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members of a model's request that are shown as messages, or compared on their own. */
const SHOWN = new Set(["model", "messages", "input", "system", "instructions", "contents"]);

/**
 * The parts in which two steps differ, the first difference of each. Of a model call the messages are compared as a person reads
 * them: ids that a provider mints anew at each call are no difference. `after` undefined: it is not there any more.
 */
export function stepChanges(before: StepView, after: StepView): StepChange[] {
  if (isUnread(before, after)) return requestChanges(before, after);
  const changes =
    before.kind === "LLM" && after.kind === "LLM" ? modelChanges(before, after) : partChanges(before, after);
  const [was, is] = [statusOf(before), statusOf(after)];
  return was === is ? changes : [...changes, { part: "status", pointer: "", before: was, after: is }];
}

/** The program has read neither answer, so how much of it had come is no difference; what it has seen is the status. */
function isUnread(before: StepView, after: StepView): boolean {
  const [was, is] = [before, after].map(({ answer, settle, record }) =>
    answer === "part" && settle === null ? record?.exchange?.response?.status : undefined,
  );
  return was !== undefined && was === is;
}

const requestChanges = (before: StepView, after: StepView): StepChange[] =>
  (before.kind === "LLM" && after.kind === "LLM" ? modelChanges(before, after) : partChanges(before, after)).filter(
    ({ part }) => part !== "output",
  );

function modelChanges(before: StepView, after: StepView): StepChange[] {
  const [was, is] = [messagesOf(before), messagesOf(after)];
  const [asked, asks] = [bodyOf(before), bodyOf(after)];
  return [
    ...change("model", asked["model"] ?? before.model, asks["model"] ?? after.model),
    ...change("system prompt", was.system, is.system),
    ...change("input", was.input, is.input),
    ...change("parameters", parametersOf(asked), parametersOf(asks)),
    ...change("output", was.output, is.output),
  ];
}

function partChanges(before: StepView, after: StepView): StepChange[] {
  return [
    ...change("input", valueOf(before.input), valueOf(after.input)),
    ...change("output", valueOf(before.output), valueOf(after.output)),
  ];
}

function change(part: StepChange["part"], before: unknown, after: unknown): StepChange[] {
  const found = firstDifference(before, after);
  return found === null ? [] : [{ part, ...found }];
}

const statusOf = ({ status, error }: StepView): string => (error === null ? status : `${status}: ${error}`);

function bodyOf({ input }: StepView): Fields {
  const body = valueOf(input);
  return isFields(body) ? body : {};
}

function parametersOf(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SHOWN.has(name)));
}

function valueOf(text: string | null): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

interface Found {
  pointer: string;
  before: unknown;
  after: unknown;
}

/** The first place, in the order of the first value, at which two JSON values differ. The order of members is no difference. */
export function firstDifference(before: unknown, after: unknown, pointer = ""): Found | null {
  if (Object.is(before, after)) return null;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      const found = firstDifference(before[i], after[i], `${pointer}/${i}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isFields(before) || !isFields(after)) return { pointer, before, after };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const found = firstDifference(own(before, name), own(after, name), `${pointer}/${pointerPart(name)}`);
    if (found !== null) return found;
  }
  return null;
}

const own = (value: Fields, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
