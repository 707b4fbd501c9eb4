import type { Provider } from "../provider.ts";

/** Mistral's API: chat, agents and embeddings in a format close to OpenAI's, told from it by the host. */
export const mistral: Provider = {
  name: "mistral",
  title: "Mistral",
  hosts: [
    { host: "api.mistral.ai", openinference: "mistralai", genAi: "mistral_ai", speaks: ["openai"] },
    { host: "codestral.mistral.ai", openinference: "mistralai", genAi: "mistral_ai", speaks: ["openai"] },
  ],
  sdks: [{ package: "@mistralai/mistralai", tested: [2], keepsFetch: false }],
  keys: ["MISTRAL_API_KEY"],
  targets: [
    { method: "POST", path: /\/chat\/completions$/, proof: [["messages"]], knownHost: true, operation: "chat" },
    { method: "POST", path: /\/agents\/completions$/, proof: [["agent_id"], ["messages"]], operation: "agents" },
    { method: "POST", path: /\/fim\/completions$/, proof: [["prompt"]], operation: "fim" },
    { method: "POST", path: /\/embeddings$/, proof: [["input"]], knownHost: true, operation: "embeddings" },
    { method: "POST", path: /\/chat\/moderations$/, proof: [["input"]], operation: "chat.moderations" },
    { method: "POST", path: /\/moderations$/, proof: [["input"]], knownHost: true, operation: "moderations" },
  ],
};
