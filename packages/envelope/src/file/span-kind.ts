import { ATTR } from "../schema/attributes.ts";
import type { OtlpSpan } from "../otlp/span.ts";

/** Words of other conventions for what OpenInference calls a span's kind, by attribute. */
const KIND_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // OpenTelemetry's conventions for generative AI
  "gen_ai.operation.name": {
    chat: "LLM",
    generate_content: "LLM",
    text_completion: "LLM",
    embeddings: "EMBEDDING",
    execute_tool: "TOOL",
    invoke_agent: "AGENT",
    create_agent: "AGENT",
  },
  // AI SDK
  "ai.operationId": {
    "ai.generateText.doGenerate": "LLM",
    "ai.streamText.doStream": "LLM",
    "ai.generateObject.doGenerate": "LLM",
    "ai.streamObject.doStream": "LLM",
    "ai.embed.doEmbed": "EMBEDDING",
    "ai.embedMany.doEmbed": "EMBEDDING",
    "ai.toolCall": "TOOL",
  },
  // OpenLLMetry
  "llm.request.type": { chat: "LLM", completion: "LLM", embedding: "EMBEDDING", rerank: "RERANKER" },
  "traceloop.span.kind": { workflow: "CHAIN", task: "CHAIN", agent: "AGENT", tool: "TOOL" },
};

/** What the span did, in our word, else in OpenInference's, whichever convention it follows; "": no word for it. */
export function spanKind({ attributes }: OtlpSpan): string {
  for (const kind of [attributes[ATTR.kind], attributes[ATTR.spanKind]])
    if (typeof kind === "string" && kind !== "") return kind;
  for (const [name, kinds] of Object.entries(KIND_OF)) {
    const word = attributes[name];
    if (typeof word === "string" && Object.hasOwn(kinds, word)) return kinds[word]!;
  }
  return "";
}
