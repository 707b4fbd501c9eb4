import { anthropic } from "./anthropic/provider.ts";
import { bedrock } from "./bedrock/provider.ts";
import { cohere } from "./cohere/provider.ts";
import { google } from "./google/provider.ts";
import { mistral } from "./mistral/provider.ts";
import { ollama } from "./ollama/provider.ts";
import { openai } from "./openai/provider.ts";
import { other } from "./other/provider.ts";
import type { Provider } from "./provider.ts";

/**
 * The providers whose calls are understood, one row each. The first row that knows a call reads it, so a provider that
 * only its hosts tell from another stands before that other, and what reads any address is the last.
 */
export const PROVIDERS: readonly Provider[] = [mistral, openai, anthropic, google, bedrock, cohere, ollama, other];

/** The row of that name. */
export function provider(name: string): Provider {
  const found = PROVIDERS.find((row) => row.name === name);
  if (found === undefined) throw new Error(`no provider is named ${name}`);
  return found;
}
