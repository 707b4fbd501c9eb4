import type { Host } from "./provider.ts";

/** Hosts of vendors that have no folder here, under their names in the two vocabularies. The first row that fits counts. */
const HOSTS: readonly Host[] = [
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
  { host: "api.cohere.com", openinference: "cohere", genAi: "cohere" },
  { host: "api.cohere.ai", openinference: "cohere", genAi: "cohere" },
  { host: "generativelanguage.googleapis.com", openinference: "google", genAi: "gcp.gemini" },
  { host: "-aiplatform.googleapis.com", openinference: "google", genAi: "gcp.vertex_ai" },
  { host: "aiplatform.googleapis.com", openinference: "google", genAi: "gcp.vertex_ai" },
  { host: "amazonaws.com", openinference: "aws", genAi: "aws.bedrock" },
  { host: "api.aws", openinference: "aws", genAi: "aws.bedrock" },
  { host: "api.moonshot.ai", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.moonshot.cn", openinference: "moonshot", genAi: "moonshot" },
  { host: "api.z.ai", openinference: "zai", genAi: "zai" },
  { host: "api.minimax.io", openinference: "minimax", genAi: "minimax" },
  { host: "ollama.com", openinference: "ollama", genAi: "ollama" },
  { host: "huggingface.co", openinference: "huggingface", genAi: "huggingface" },
  { host: "api.deepinfra.com", openinference: "deepinfra", genAi: "deepinfra" },
  { host: "api.sambanova.ai", openinference: "sambanova", genAi: "sambanova" },
  { host: "integrate.api.nvidia.com", openinference: "nvidia", genAi: "nvidia" },
];

/** The row that a host name falls under; null when there is none. */
export function hostOf(hostname: string, hosts: readonly Host[] = HOSTS): Host | null {
  const fits = (host: string): boolean =>
    hostname === host || hostname.endsWith(host.startsWith("-") ? host : `.${host}`);
  return hosts.find(({ host }) => fits(host)) ?? null;
}
