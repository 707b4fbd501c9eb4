import type { Provider } from "../provider.ts";

/** The wire format of Anthropic's Messages API, wherever it is spoken over plain HTTP. */
export const anthropic: Provider = {
  name: "anthropic",
  title: "Anthropic",
  hosts: [{ host: "anthropic.com", api: /^api\.anthropic\.com$/, openinference: "anthropic", genAi: "anthropic" }],
  sdks: [{ package: "@anthropic-ai/sdk", tested: [1], keepsFetch: true }],
  keys: ["ANTHROPIC_API_KEY"],
  targets: [
    { method: "POST", path: /\/v1\/messages$/, proof: [["max_tokens"], ["messages"]], operation: "messages" },
    { method: "POST", path: /\/v1\/messages\/count_tokens$/, proof: [["messages"]], operation: "count_tokens" },
    { method: "POST", path: /\/v1\/messages\/batches$/, proof: [["requests"]], operation: "batches" },
    { method: "GET", path: /\/v1\/messages\/batches(?:\/[\w-]+(?:\/results)?)?$/, operation: "batches.get" },
    { method: "POST", path: /\/v1\/messages\/batches\/[\w-]+\/cancel$/, operation: "batches.cancel" },
    { method: "DELETE", path: /\/v1\/messages\/batches\/[\w-]+$/, operation: "batches.delete" },
  ],
};
