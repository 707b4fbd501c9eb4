import type { Provider } from "../provider.ts";

/** The wire format of OpenAI and of the many hosts that speak it. */
export const openai: Provider = {
  name: "openai",
  title: "OpenAI",
  hosts: [
    { host: "api.openai.com", api: /^(?:[a-z]{2}\.)?api\.openai\.com$/, openinference: "openai", genAi: "openai" },
  ],
  sdks: [{ package: "openai", tested: [7], keepsFetch: true }],
  keys: ["OPENAI_API_KEY"],
  // Azure's deployment
  modelInPath: /\/deployments\/([^/]+)\//,
  targets: [
    { method: "POST", path: /\/chat\/completions$/, proof: [["messages"]], distinctive: true, operation: "chat" },
    { method: "POST", path: /\/completions$/, proof: [["messages"]], operation: "chat" },
    { method: "POST", path: /\/completions$/, proof: [["prompt"]], operation: "completions" },
    {
      method: "POST",
      path: /\/responses$/,
      proof: [
        ["model", "prompt"],
        ["input", "prompt", "conversation", "previous_response_id"],
      ],
      operation: "responses",
    },
    {
      method: "POST",
      path: /\/responses\/compact$/,
      proof: [["model"], ["input", "previous_response_id"]],
      operation: "responses.compact",
    },
    {
      method: "POST",
      path: /\/responses\/input_tokens$/,
      proof: [["input", "previous_response_id"]],
      operation: "responses.input_tokens",
    },
    { method: "GET", path: /\/responses\/[\w-]+$/, operation: "responses.retrieve" },
    { method: "POST", path: /\/responses\/[\w-]+\/cancel$/, operation: "responses.retrieve" },
    { method: "POST", path: /\/embeddings$/, proof: [["input"]], operation: "embeddings" },
    { method: "POST", path: /\/moderations$/, proof: [["input"]], operation: "moderations" },
    { method: "POST", path: /\/images\/generations$/, proof: [["prompt"]], operation: "images.generations" },
    { method: "POST", path: /\/images\/edits$/, proof: [["prompt"]], form: true, operation: "images.edits" },
    { method: "POST", path: /\/images\/variations$/, form: true, operation: "images.variations" },
    { method: "POST", path: /\/audio\/speech$/, proof: [["input"], ["model", "voice"]], operation: "audio.speech" },
    {
      method: "POST",
      path: /\/audio\/transcriptions$/,
      proof: [["model"]],
      form: true,
      operation: "audio.transcriptions",
    },
    { method: "POST", path: /\/audio\/translations$/, proof: [["model"]], form: true, operation: "audio.translations" },
    { method: "POST", path: /\/files$/, form: "purpose", operation: "files" },
    { method: "GET", path: /\/files(?:\/[\w-]+(?:\/content)?)?$/, operation: "files.get" },
    { method: "DELETE", path: /\/files\/[\w-]+$/, operation: "files.delete" },
    { method: "POST", path: /\/batches$/, proof: [["input_file_id"], ["endpoint"]], operation: "batches" },
    { method: "POST", path: /\/batches\/[\w-]+\/cancel$/, operation: "batches.cancel" },
    { method: "GET", path: /\/batches(?:\/[\w-]+)?$/, operation: "batches.get" },
  ],
};
