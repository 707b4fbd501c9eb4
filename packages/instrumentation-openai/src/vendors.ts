import type { Provider } from "@reenact/capture/dialect";

/** A host that speaks this wire format. */
export interface Vendor extends Provider {
  /** host name, or the end of it after a dot */
  readonly host: string;
  /** the host has a wire format of its own: only a body can tell that a request speaks this one */
  readonly own?: true;
}

/** The first row whose host fits counts. */
const VENDORS: readonly Vendor[] = [
  { host: "api.openai.com", openinference: "openai", genAi: "openai" },
  { host: "openai.azure.com", openinference: "azure", genAi: "azure.ai.openai" },
  { host: "cognitiveservices.azure.com", openinference: "azure", genAi: "azure.ai.openai" },
  { host: "services.ai.azure.com", openinference: "azure", genAi: "azure.ai.inference" },
  { host: "models.inference.ai.azure.com", openinference: "azure", genAi: "azure.ai.inference" },
  { host: "api.groq.com", openinference: "groq", genAi: "groq" },
  { host: "api.together.xyz", openinference: "together", genAi: "together" },
  { host: "api.together.ai", openinference: "together", genAi: "together" },
  { host: "openrouter.ai", openinference: "openrouter", genAi: "openrouter" },
  { host: "api.deepseek.com", openinference: "deepseek", genAi: "deepseek" },
  { host: "api.mistral.ai", openinference: "mistralai", genAi: "mistral_ai" },
  { host: "codestral.mistral.ai", openinference: "mistralai", genAi: "mistral_ai" },
  { host: "api.x.ai", openinference: "xai", genAi: "x_ai" },
  { host: "api.fireworks.ai", openinference: "fireworks", genAi: "fireworks" },
  { host: "api.perplexity.ai", openinference: "perplexity", genAi: "perplexity" },
  { host: "api.cerebras.ai", openinference: "cerebras", genAi: "cerebras" },
  { host: "api.cohere.com", openinference: "cohere", genAi: "cohere", own: true },
  { host: "api.cohere.ai", openinference: "cohere", genAi: "cohere", own: true },
  { host: "api.anthropic.com", openinference: "anthropic", genAi: "anthropic", own: true },
  { host: "generativelanguage.googleapis.com", openinference: "google", genAi: "gcp.gemini", own: true },
  { host: "aiplatform.googleapis.com", openinference: "google", genAi: "gcp.vertex_ai", own: true },
  { host: "amazonaws.com", openinference: "aws", genAi: "aws.bedrock", own: true },
  { host: "api.aws", openinference: "aws", genAi: "aws.bedrock", own: true },
  { host: "api.moonshot.ai", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.moonshot.cn", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.z.ai", openinference: "zai", genAi: "zai" },
  { host: "api.minimax.io", openinference: "minimax", genAi: "minimax" },
  { host: "ollama.com", openinference: "ollama", genAi: "ollama", own: true },
  { host: "huggingface.co", openinference: "huggingface", genAi: "huggingface", own: true },
  { host: "api.deepinfra.com", openinference: "deepinfra", genAi: "deepinfra" },
  { host: "api.sambanova.ai", openinference: "sambanova", genAi: "sambanova" },
  { host: "integrate.api.nvidia.com", openinference: "nvidia", genAi: "nvidia" },
];

export function vendorOf(hostname: string): Vendor | null {
  return VENDORS.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`)) ?? null;
}
