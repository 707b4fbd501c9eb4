import { countTokens, messages } from "./anthropic/messages.ts";
import { bedrock } from "./bedrock/bedrock.ts";
import { cohere } from "./cohere/cohere.ts";
import type { Format } from "./format.ts";
import { gemini } from "./google/gemini.ts";
import { ollama } from "./ollama/ollama.ts";
import { chat } from "./openai/chat.ts";
import { openaiFailure } from "./openai/failure.ts";
import { embeddings, files, speech } from "./openai/media.ts";
import { responses } from "./openai/responses.ts";

/** The formats in which answers can be written. Their paths differ. */
export const FORMATS: readonly Format[] = [
  gemini,
  bedrock,
  cohere,
  ollama,
  chat,
  responses,
  countTokens,
  messages,
  embeddings,
  speech,
  files,
];

/** The format of the requests to this path, which may have a query; null: none of ours. */
export function formatOf(path: string): Format | null {
  const route = path.split("?")[0] ?? path;
  return FORMATS.find((format) => format.path.test(route)) ?? null;
}

/** For paths that are no model's: answers say what was asked, errors have the form of OpenAI's. */
export const OTHER: Format = {
  name: "other",
  path: /^/,
  document: ({ path, serial }) => ({ path, serial }),
  failure: openaiFailure,
};
