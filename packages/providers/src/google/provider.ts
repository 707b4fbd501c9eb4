import type { Provider } from "../provider.ts";

/** Google's Gemini API, and the same operations at the addresses of Vertex AI. The path names model and operation. */
export const google: Provider = {
  name: "google",
  title: "Google GenAI",
  hosts: [
    { host: "generativelanguage.googleapis.com", openinference: "google", genAi: "gcp.gemini" },
    { host: "aiplatform.googleapis.com", openinference: "google", genAi: "gcp.vertex_ai" },
    {
      host: "-aiplatform.googleapis.com",
      api: /^[a-z0-9-]+-aiplatform\.googleapis\.com$/,
      openinference: "google",
      genAi: "gcp.vertex_ai",
    },
  ],
  sdks: [{ package: "@google/genai", tested: [3], keepsFetch: false }],
  keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  modelInPath: /\/(?:models|endpoints|tunedModels)\/([^/:]+):/,
  targets: [
    { method: "POST", path: /:generateContent$/, proof: [["contents"]], distinctive: true, operation: "generate" },
    {
      method: "POST",
      path: /:streamGenerateContent$/,
      proof: [["contents"]],
      distinctive: true,
      operation: "generate.stream",
    },
    { method: "POST", path: /:embedContent$/, proof: [["content"]], distinctive: true, operation: "embed" },
    {
      method: "POST",
      path: /:batchEmbedContents$/,
      proof: [["requests"]],
      distinctive: true,
      operation: "embed.batch",
    },
    { method: "POST", path: /:countTokens$/, proof: [["contents", "generateContentRequest"]], operation: "count" },
    { method: "POST", path: /:predict$/, proof: [["instances"]], knownHost: true, operation: "predict" },
  ],
};
