import { z } from "zod";

const jsonText = z.string().refine(isJson, "is no JSON");
const text = z.string();
const tokens = z.number().nonnegative();

const messageContent = z.strictObject({
  type: text.min(1),
  text: text.optional(),
  image: z.strictObject({ image: z.strictObject({ url: text }) }).optional(),
  audio: z
    .strictObject({
      audio: z.strictObject({ url: text.optional(), mime_type: text.optional(), transcript: text.optional() }),
    })
    .optional(),
  video: z.strictObject({ video: z.strictObject({ url: text }) }).optional(),
  id: text.optional(),
  signature: text.optional(),
  data: text.optional(),
  encrypted_content: text.optional(),
});

const toolCall = z.strictObject({
  id: text.optional(),
  reasoning_signature: text.optional(),
  function: z.strictObject({ name: text, arguments: text.optional() }),
});

const message = z
  .strictObject({
    role: text.min(1),
    name: text.optional(),
    content: text.optional(),
    contents: z.array(z.strictObject({ message_content: messageContent })).optional(),
    tool_call_id: text.optional(),
    tool_calls: z.array(z.strictObject({ tool_call: toolCall })).optional(),
    function_call_name: text.optional(),
    function_call_arguments_json: text.optional(),
  })
  .refine((m) => m.content === undefined || m.contents === undefined, "has both content and contents");

const messages = z.array(z.strictObject({ message }));

const llm = z.strictObject({
  model_name: text.optional(),
  request: z.strictObject({ model_name: text }).optional(),
  response: z.strictObject({ model_name: text }).optional(),
  provider: text.optional(),
  system: text.optional(),
  invocation_parameters: jsonText.optional(),
  finish_reason: text.optional(),
  token_count: z
    .strictObject({
      prompt: tokens.optional(),
      completion: tokens.optional(),
      total: tokens.optional(),
      prompt_details: z
        .strictObject({
          cache_read: tokens.optional(),
          cache_write: tokens.optional(),
          cache_input: tokens.optional(),
          audio: tokens.optional(),
        })
        .optional(),
      completion_details: z.strictObject({ reasoning: tokens.optional(), audio: tokens.optional() }).optional(),
    })
    .optional(),
  input_messages: messages.optional(),
  output_messages: messages.optional(),
  prompts: z.array(z.unknown()).optional(),
  tools: z.array(z.strictObject({ tool: z.strictObject({ json_schema: jsonText }) })).optional(),
  function_call: jsonText.optional(),
  cost: z.unknown().optional(),
  prompt_template: z.unknown().optional(),
});

const documents = z.array(
  z.strictObject({
    document: z.strictObject({
      id: z.union([text, z.number()]).optional(),
      content: text.optional(),
      score: z.number().optional(),
      metadata: jsonText.optional(),
    }),
  }),
);

const embedding = z.strictObject({
  model_name: text.optional(),
  embeddings: z
    .array(
      z.strictObject({ embedding: z.strictObject({ text: text.optional(), vector: z.array(z.number()).optional() }) }),
    )
    .optional(),
});

const tool = z.strictObject({
  name: text.min(1),
  id: text.optional(),
  description: text.optional(),
  parameters: jsonText.optional(),
  json_schema: jsonText.optional(),
});

const reranker = z.strictObject({
  query: text.optional(),
  model_name: text.optional(),
  top_k: z.number().optional(),
  input_documents: documents.optional(),
  output_documents: documents.optional(),
});

const payload = z.strictObject({ value: text, mime_type: text.optional() });

/** What every kind may carry; sections that belong to one kind only are refused elsewhere. */
const common = {
  input: payload.optional(),
  output: payload.optional(),
  session: z.strictObject({ id: text }).optional(),
  user: z.strictObject({ id: text }).optional(),
  metadata: jsonText.optional(),
  tag: z.strictObject({ tags: z.array(text) }).optional(),
  agent: z.strictObject({ name: text }).optional(),
  graph: z.unknown().optional(),
  llm: z.never().optional(),
  embedding: z.never().optional(),
  tool: z.never().optional(),
  retrieval: z.never().optional(),
  reranker: z.never().optional(),
  message: z.never().optional(),
  message_content: z.never().optional(),
  tool_call: z.never().optional(),
  document: z.never().optional(),
};

/** Attributes outside OpenInference's name spaces are not looked at. */
const KINDS: Readonly<Record<string, z.ZodType>> = {
  LLM: z.looseObject({ ...common, llm }),
  EMBEDDING: z.looseObject({ ...common, llm: llm.optional(), embedding: embedding.optional() }),
  TOOL: z.looseObject({ ...common, tool }),
  CHAIN: z.looseObject(common),
  AGENT: z.looseObject(common),
  GUARDRAIL: z.looseObject(common),
  RETRIEVER: z.looseObject({ ...common, retrieval: z.strictObject({ documents }).optional() }),
  RERANKER: z.looseObject({ ...common, reranker: reranker.optional() }),
};

/** What is wrong with the OpenInference view of a span, by its flat attributes; empty when nothing is. */
export function checkOpenInference(attributes: Record<string, unknown>): string[] {
  const kind = attributes["openinference.span.kind"];
  const schema = typeof kind === "string" && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (schema === undefined) return [`openinference.span.kind: unknown kind ${String(kind)}`];
  const problems: string[] = [];
  const parsed = schema.safeParse(nest(attributes, problems));
  if (!parsed.success)
    for (const { path, message: said } of parsed.error.issues) problems.push(`${path.join(".")}: ${said}`);
  return problems;
}

type Tree = Map<string, unknown>;

function nest(attributes: Record<string, unknown>, problems: string[]): unknown {
  const root: Tree = new Map();
  for (const [key, value] of Object.entries(attributes)) {
    const steps = key.split(".");
    const leaf = steps.pop() ?? "";
    let at = root;
    for (const step of steps) {
      const next = at.get(step) ?? new Map<string, unknown>();
      if (!(next instanceof Map)) {
        problems.push(`${key}: stands under an attribute that has a value`);
        break;
      }
      at.set(step, next);
      at = next as Tree;
    }
    if (at.get(leaf) instanceof Map) problems.push(`${key}: has a value and attributes under it`);
    else at.set(leaf, value);
  }
  return plain(root, "", problems);
}

/** Objects whose keys are numbers become lists, which must have no gap. */
function plain(node: unknown, path: string, problems: string[]): unknown {
  if (!(node instanceof Map)) return node;
  const entries = [...(node as Tree)].map(([key, value]) => [key, plain(value, `${path}${key}.`, problems)] as const);
  if (!entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  const ordered = entries.toSorted(([a], [b]) => Number(a) - Number(b));
  if (ordered.some(([key], n) => Number(key) !== n)) problems.push(`${path}: the list has gaps`);
  return ordered.map(([, value]) => value);
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
