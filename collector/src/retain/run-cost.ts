import { type Run, spanKind, spanModel, spanTokens } from "@reenact/envelope/file";
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

const PRICED = new Set(["LLM", "EMBEDDING"]);

/**
 * What the calls of a run cost. Null: nobody knows, since a call's model has no price here, or a call that did not fail
 * does not say how many tokens it took.
 */
export function runCost(run: Run, prices: ModelPrices): Manifest["cost"] {
  let usd = 0;
  for (const { span, record } of run.spans) {
    if (!PRICED.has(spanKind(span))) continue;
    if (Object.keys(spanTokens(span)).length === 0 && span.status.code === 2) continue;
    const cost = callCost(span, record?.model, prices);
    if (cost === null) return null;
    usd += cost.prompt + cost.completion;
  }
  return { usd: usd / 1e6, prices: prices.version };
}

/** The cost of one call, millionths of a US dollar. Null: its number of tokens is unknown, or its model has no price here. */
export function callCost(
  span: Run["spans"][number]["span"],
  recorded: { readonly asked?: string | undefined; readonly answered?: string | undefined } | undefined,
  prices: ModelPrices,
): { prompt: number; completion: number } | null {
  const tokens = spanTokens(span);
  if (Object.keys(tokens).length === 0) return null;
  const model = recorded?.answered ?? spanModel(span) ?? recorded?.asked;
  const known = model === undefined ? null : priceOf(model, prices);
  if (known === null) return null;
  const { prompt = 0, completion = 0 } = tokens;
  const cached = Math.min(prompt, tokens["prompt_details.cache_read"] ?? 0);
  const asked = (prompt - cached) * known.input + cached * (known.cached ?? known.input);
  return { prompt: asked, completion: completion * known.output };
}

function priceOf(model: string, { models }: ModelPrices): z.infer<typeof price> | null {
  const names = Object.keys(models).filter((name) => model.startsWith(name));
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest === "" ? null : models[longest]!;
}
