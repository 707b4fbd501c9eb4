import type { Provider } from "../provider.ts";

/** Ollama's own API, mostly on this machine; its streams are lines of JSON. */
export const ollama: Provider = {
  name: "ollama",
  title: "Ollama",
  hosts: [{ host: "ollama.com", openinference: "ollama", genAi: "ollama" }],
  localOrigins: ["http://127.0.0.1:11434", "http://localhost:11434"],
  sdks: [{ package: "ollama", tested: [0], keepsFetch: true }],
  keys: ["OLLAMA_API_KEY"],
  targets: [
    { method: "POST", path: /\/api\/chat$/, proof: [["model"], ["messages"]], operation: "chat" },
    { method: "POST", path: /\/api\/generate$/, proof: [["model"], ["prompt"]], operation: "generate" },
    { method: "POST", path: /\/api\/embed$/, proof: [["model"], ["input"]], operation: "embed" },
  ],
};
