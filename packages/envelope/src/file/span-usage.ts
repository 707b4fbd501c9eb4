import type { OtlpSpan } from "../otlp/span.ts";

const OPENINFERENCE_TOKENS = "llm.token_count.";
const GEN_AI_TOKENS: Readonly<Record<string, string>> = {
  "gen_ai.usage.input_tokens": "prompt",
  "gen_ai.usage.prompt_tokens": "prompt",
  "gen_ai.usage.output_tokens": "completion",
  "gen_ai.usage.completion_tokens": "completion",
  "gen_ai.usage.cache_read.input_tokens": "prompt_details.cache_read",
};

/** The first of these attributes that is a text and not empty. */
export function firstText({ attributes }: Pick<OtlpSpan, "attributes">, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The model that answered, else the one that was asked, in whichever convention. */
export function spanModel(span: Pick<OtlpSpan, "attributes">): string | undefined {
  return firstText(span, "gen_ai.response.model", "llm.model_name", "embedding.model_name", "gen_ai.request.model");
}

/** The tool that the span ran, in whichever convention; undefined: it names none. */
export function spanTool(span: Pick<OtlpSpan, "attributes">): string | undefined {
  return firstText(span, "tool.name", "gen_ai.tool.name", "ai.toolCall.name");
}

/**
 * Tokens by their OpenInference names (`prompt`, `completion`, `total`, `prompt_details.cache_read`, …). Of two
 * conventions on one span the first that has tokens at all counts. Empty: it does not say.
 */
export function spanTokens({ attributes }: Pick<OtlpSpan, "attributes">): Record<string, number> {
  const found: Record<string, number> = {};
  const keep = (kind: string, value: unknown) => {
    if (typeof value === "number" && Number.isFinite(value)) found[kind] = value;
  };
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith(OPENINFERENCE_TOKENS)) keep(key.slice(OPENINFERENCE_TOKENS.length), value);
  }
  if (Object.keys(found).length > 0) return found;
  for (const [key, kind] of Object.entries(GEN_AI_TOKENS)) keep(kind, attributes[key]);
  const { prompt, completion } = found;
  if (prompt !== undefined && completion !== undefined) found["total"] = prompt + completion;
  return found;
}
