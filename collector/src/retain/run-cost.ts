import type { Run } from "@reenact/envelope/file";
import type { Manifest } from "@reenact/envelope/schema";
import { z } from "zod";

const price = z.strictObject({
  /** US dollars per million tokens */
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** of prompt tokens that were read from a cache; default: as `input` */
  cached: z.number().nonnegative().optional(),
});

/** Prices of models by their names, the longest name that the answered model begins with. */
export const modelPrices = z.strictObject({ version: z.string().min(1), models: z.record(z.string(), price) });
export type ModelPrices = z.infer<typeof modelPrices>;

const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** What the calls of a run cost. Null: there were calls of a model whose price is not known, or of unknown size. */
export function runCost(run: Run, prices: ModelPrices): Manifest["cost"] {
  let usd = 0;
  let calls = 0;
  for (const { span, record } of run.spans) {
    const { attributes } = span;
    const prompt = number(attributes["llm.token_count.prompt"] ?? attributes["gen_ai.usage.input_tokens"]);
    const completion = number(attributes["llm.token_count.completion"] ?? attributes["gen_ai.usage.output_tokens"]);
    const isCall = attributes["openinference.span.kind"] === "LLM" || attributes["gen_ai.operation.name"] === "chat";
    if (!isCall) continue;
    calls++;
    const model =
      record?.model?.answered ??
      attributes["gen_ai.response.model"] ??
      record?.model?.asked ??
      attributes["llm.model_name"];
    const known = typeof model === "string" ? priceOf(model, prices) : null;
    if (known === null) return null;
    const cached = Math.min(prompt, number(attributes["llm.token_count.prompt_details.cache_read"]));
    usd += (prompt - cached) * known.input + cached * (known.cached ?? known.input) + completion * known.output;
  }
  return calls === 0 ? { usd: 0, prices: prices.version } : { usd: usd / 1e6, prices: prices.version };
}

function priceOf(model: string, { models }: ModelPrices): z.infer<typeof price> | null {
  const names = Object.keys(models).filter((name) => model.startsWith(name));
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest === "" ? null : models[longest]!;
}
