import type { Reading } from "@reenact/capture/dialect";
import { countTokens, messages } from "./messages/messages.ts";
import { thin } from "./thin.ts";

export interface Target {
  readonly method: "GET" | "POST" | "DELETE";
  /** end of the path */
  readonly path: RegExp;
  /** keys that the JSON body has; absent: the path says too little without a known host */
  readonly proof?: readonly string[];
  readonly reading: Reading;
}

/** What is where. The first row that fits counts. */
export const TARGETS: readonly Target[] = [
  { method: "POST", path: /\/v1\/messages$/, proof: ["max_tokens", "messages"], reading: messages },
  { method: "POST", path: /\/v1\/messages\/count_tokens$/, proof: ["messages"], reading: countTokens },
  { method: "POST", path: /\/v1\/messages\/batches$/, proof: ["requests"], reading: thin("batches", true) },
  { method: "GET", path: /\/v1\/messages\/batches(?:\/[\w-]+(?:\/results)?)?$/, reading: thin("batches.get") },
  { method: "POST", path: /\/v1\/messages\/batches\/[\w-]+\/cancel$/, reading: thin("batches.cancel") },
  { method: "DELETE", path: /\/v1\/messages\/batches\/[\w-]+$/, reading: thin("batches.delete") },
];

/** Hosts under their names in the two vocabularies, `llm.provider` and `gen_ai.provider.name`. */
export const HOSTS: ReadonlyArray<{ host: string; openinference: string; genAi: string }> = [
  { host: "anthropic.com", openinference: "anthropic", genAi: "anthropic" },
  { host: "services.ai.azure.com", openinference: "azure", genAi: "azure.ai.inference" },
  { host: "openrouter.ai", openinference: "openrouter", genAi: "openrouter" },
  { host: "api.deepseek.com", openinference: "deepseek", genAi: "deepseek" },
  { host: "api.moonshot.ai", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.moonshot.cn", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.z.ai", openinference: "zai", genAi: "zai" },
  { host: "api.minimax.io", openinference: "minimax", genAi: "minimax" },
];
