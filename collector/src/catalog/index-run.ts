import type { OtlpSpan } from "@reenact/envelope";

/** Search fields of a run that its manifest lacks; read from its spans. */
export interface RunIndex {
  /** names, errors, tool names and the begin of each message, one a line */
  readonly text: string;
  readonly tools: readonly string[];
  readonly tags: readonly string[];
  readonly project: string | null;
  /** spans that ended in an error */
  readonly errors: number;
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
export function indexRun(spans: Iterable<OtlpSpan>, resource: Readonly<Record<string, unknown>> = {}): RunIndex {
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
  for (const { name, attributes, status, events } of spans) {
    add(name);
    add(status.message);
    if (status.code === 2) errors++;
    const tool = attributes["tool.name"] ?? attributes["gen_ai.tool.name"];
    if (typeof tool === "string" && tool !== "") {
      tools.add(tool);
      add(tool);
    }
    for (const tag of textsOf(attributes["tag.tags"])) tags.add(tag);
    for (const event of events) {
      add(event.attributes["exception.type"]);
      add(event.attributes["exception.message"]);
      if (event.name.startsWith("gen_ai.")) for (const value of Object.values(event.attributes)) add(value);
    }
    if (size >= WHOLE) continue;
    let messages = 0;
    for (const key of Object.keys(attributes)) {
      if (!MESSAGE_KEY.test(key)) continue;
      add(attributes[key]);
      messages++;
    }
    if (messages > 0) continue;
    add(attributes["input.value"]);
    add(attributes["output.value"]);
  }
  const project = resource[PROJECT];
  return {
    text: [...lines].join("\n"),
    tools: [...tools].toSorted(),
    tags: [...tags].toSorted(),
    project: typeof project === "string" && project !== "" ? project : null,
    errors,
  };
}

function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  return list.filter((each) => typeof each === "string" && each !== "").map(String);
}
