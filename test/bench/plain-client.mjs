import OpenAI from "openai";

/** A client of the provider that memory-provider.mjs plays. */
export function plainClient() {
  return new OpenAI({ apiKey: "sk-bench", baseURL: "http://provider.test/v1", maxRetries: 0 });
}
