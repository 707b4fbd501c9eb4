import type { Answer, Failure } from "./answer.ts";
import type { Ask, Json } from "./ask.ts";
import { cohere } from "./cohere.ts";
import { bedrock } from "./bedrock.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";

/** A provider's wire format beside those of OpenAI and Anthropic. */
export interface Wire {
  readonly path: RegExp;
  /** content type of a stream */
  readonly mime: string;
  /** the request in the form of OpenAI's chat: model, stream, messages, tools */
  chat(body: Json, path: string): Json;
  document(ask: Ask, answer: Answer): Json;
  events(ask: Ask, answer: Answer): (string | Uint8Array)[];
  failure(failure: Failure): Json;
}

const WIRES: readonly Wire[] = [gemini, bedrock, cohere, ollama];

export function wireOf(path: string): Wire | undefined {
  return WIRES.find((wire) => wire.path.test(path));
}
