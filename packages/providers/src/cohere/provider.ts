import type { Provider } from "../provider.ts";

/** Cohere's second API: chat, embeddings and reranking. */
export const cohere: Provider = {
  name: "cohere",
  title: "Cohere",
  hosts: [
    { host: "api.cohere.com", openinference: "cohere", genAi: "cohere" },
    { host: "api.cohere.ai", openinference: "cohere", genAi: "cohere" },
  ],
  sdks: [{ package: "cohere-ai", tested: [8], keepsFetch: false }],
  keys: ["CO_API_KEY"],
  targets: [
    { method: "POST", path: /\/v2\/chat$/, proof: [["messages"], ["model"]], operation: "chat" },
    { method: "POST", path: /\/v2\/embed$/, proof: [["texts", "inputs", "images"], ["model"]], operation: "embed" },
    { method: "POST", path: /\/v[12]\/rerank$/, proof: [["query"], ["documents"]], operation: "rerank" },
  ],
};
