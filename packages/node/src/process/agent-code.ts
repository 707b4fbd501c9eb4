import type { AgentCode } from "@reenact/capture/recorder";
import { HOOKS } from "@reenact/hooks";
import { OTHER_HOSTS, PROVIDERS } from "@reenact/providers";

/** Scopes whose packages call models with a transport of Node's, or of a provider's SDK. */
const SCOPES = ["@ai-sdk/", "@anthropic-ai/", "@google/adk", "@langchain/", "@llamaindex/", "@mastra/", "@openai/"];
/** What requests to any provider have in their addresses. */
const PATHS = ["/chat/completions", "/v1/messages", "/v1/responses", ":generateContent", "bedrock-runtime"];

const sdks = PROVIDERS.flatMap((provider) => provider.sdks.map(({ package: name }) => name));
const frameworks = HOOKS.filter(({ name }) => /^(?:frameworks|mcp)\//.test(name)).flatMap(({ files = [] }) =>
  files.flatMap(({ packages }) => packages),
);
const hosts = [...PROVIDERS.flatMap((provider) => provider.hosts), ...OTHER_HOSTS].map(({ host }) => host);

/** By what a program that calls models is known when its code is loaded. */
export const agentCode: AgentCode = {
  packages: [...new Set([...sdks, ...frameworks, ...SCOPES])],
  texts: [...new Set([...hosts, ...PATHS])],
};
