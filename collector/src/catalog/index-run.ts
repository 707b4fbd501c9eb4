import type { OtlpSpan } from "@reenact/envelope";
import { spanTool } from "@reenact/envelope/file";
import { firstAndLastLine } from "./first-and-last-line.ts";

/** Search fields of a run that its manifest lacks; read from its spans. */
export interface RunIndex {
  /** names, errors, tool names and the begin of each message, one a line */
  readonly text: string;
  readonly tools: readonly string[];
  readonly tags: readonly string[];
  readonly project: string | null;
  /** spans that ended in an error */
  readonly errors: number;
  /** begin of the first text of a user, and of the model's last one; null: not known */
  readonly question: string | null;
  readonly answer: string | null;
}

const MESSAGE = 2048;
const WHOLE = 64 * 1024;
const PROJECT = "openinference.project.name";
/** Texts of messages in the OpenInference view, and in the semantic conventions for generative AI. */
const MESSAGE_KEY =
  /^(llm\.(input|output)_messages\.\d+\.message\.(content|contents\.\d+\.message_content\.text|tool_calls\.\d+\.tool_call\.function\.(name|arguments))|gen_ai\.(input\.messages|output\.messages|prompt|completion|system_instructions)|gen_ai\.(prompt|completion)\.\d+\.content|ai\.(prompt|prompt\.messages|response\.text))$/;

/**
 * In order of the spans; a message that comes again in a longer history is taken once. Bounded: 2,048 characters of a
 * message, 65,536 in all.
 */
export function indexRun(spans: readonly OtlpSpan[], resource: Readonly<Record<string, unknown>> = {}): RunIndex {
  const lines = new Set<string>();
  const tools = new Set<string>();
  const tags = new Set<string>();
  let size = 0;
  let errors = 0;
  // whole texts: the same one again costs no more than a look
  const seen = new Set<string>();
  const add = (value: unknown) => {
    if (typeof value !== "string" || value === "" || size >= WHOLE || seen.has(value)) return;
    seen.add(value);
    const line = value.slice(0, Math.min(MESSAGE, WHOLE - size));
    if (lines.has(line)) return;
    lines.add(line);
    size += line.length + 1;
  };
  for (const span of spans) {
    const { name, attributes, status } = span;
    add(name);
    add(status.message);
    if (status.code === 2) errors++;
    const tool = spanTool(span) ?? null;
    if (tool !== null) tools.add(tool);
    add(tool);
    for (const tag of textsOf(attributes["tag.tags"])) tags.add(tag);
    for (const value of eventTexts(span)) add(value);
    if (size < WHOLE) for (const value of messageTexts(span)) add(value);
  }
  return {
    text: [...lines].join("\n"),
    tools: [...tools].toSorted(),
    tags: [...tags].toSorted(),
    project: textOf(resource[PROJECT]),
    errors,
    ...firstAndLastLine(spans),
  };
}

/** Errors, and messages of events by the conventions for generative AI. */
function* eventTexts({ events }: OtlpSpan): Generator<unknown> {
  for (const { name, attributes } of events) {
    yield attributes["exception.type"];
    yield attributes["exception.message"];
    if (name.startsWith("gen_ai.")) yield* Object.values(attributes);
  }
}

/** Its messages; of a span that has none what went in and came out. */
function messageTexts({ attributes }: OtlpSpan): unknown[] {
  const keys = Object.keys(attributes).filter((key) => MESSAGE_KEY.test(key));
  return (keys.length > 0 ? keys : ["input.value", "output.value"]).map((key) => attributes[key]);
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The texts in a value or in a list of them, none of them empty. */
function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  return list.flatMap((each) => textOf(each) ?? []);
}
