import type { Host } from "./provider.ts";

/** Hosts of vendors that have no folder here: they speak the wire formats of others. The first row that fits counts. */
export const OTHER_HOSTS: readonly Host[] = [
  { host: "openai.azure.com", openinference: "azure", genAi: "azure.ai.openai", speaks: ["openai"] },
  { host: "cognitiveservices.azure.com", openinference: "azure", genAi: "azure.ai.openai", speaks: ["openai"] },
  {
    host: "services.ai.azure.com",
    openinference: "azure",
    genAi: "azure.ai.inference",
    speaks: ["openai", "anthropic"],
  },
  { host: "models.inference.ai.azure.com", openinference: "azure", genAi: "azure.ai.inference", speaks: ["openai"] },
  { host: "api.groq.com", openinference: "groq", genAi: "groq", speaks: ["openai"] },
  { host: "api.together.xyz", openinference: "together", genAi: "together", speaks: ["openai"] },
  { host: "api.together.ai", openinference: "together", genAi: "together", speaks: ["openai"] },
  { host: "openrouter.ai", openinference: "openrouter", genAi: "openrouter", speaks: ["openai", "anthropic"] },
  { host: "api.deepseek.com", openinference: "deepseek", genAi: "deepseek", speaks: ["openai", "anthropic"] },
  { host: "api.x.ai", openinference: "xai", genAi: "x_ai", speaks: ["openai"] },
  { host: "api.fireworks.ai", openinference: "fireworks", genAi: "fireworks", speaks: ["openai"] },
  { host: "api.perplexity.ai", openinference: "perplexity", genAi: "perplexity", speaks: ["openai"] },
  { host: "api.cerebras.ai", openinference: "cerebras", genAi: "cerebras", speaks: ["openai"] },
  { host: "api.moonshot.ai", openinference: "moonshot", genAi: "moonshot", speaks: ["openai", "anthropic"] },
  { host: "api.moonshot.cn", openinference: "moonshot", genAi: "moonshot", speaks: ["openai", "anthropic"] },
  { host: "api.z.ai", openinference: "zai", genAi: "zai", speaks: ["openai", "anthropic"] },
  { host: "api.minimax.io", openinference: "minimax", genAi: "minimax", speaks: ["openai", "anthropic"] },
  { host: "huggingface.co", openinference: "huggingface", genAi: "huggingface" },
  { host: "api.deepinfra.com", openinference: "deepinfra", genAi: "deepinfra", speaks: ["openai"] },
  { host: "api.sambanova.ai", openinference: "sambanova", genAi: "sambanova", speaks: ["openai"] },
  { host: "integrate.api.nvidia.com", openinference: "nvidia", genAi: "nvidia", speaks: ["openai"] },
];

/** The first of the rows that a host name falls under; null when there is none. */
export function hostOf(hostname: string, hosts: readonly Host[]): Host | null {
  const fits = (host: string): boolean =>
    hostname === host || hostname.endsWith(host.startsWith("-") ? host : `.${host}`);
  return hosts.find(({ host }) => fits(host)) ?? null;
}
