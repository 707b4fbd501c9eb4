import { priceOf, type Run, spanKind, spanModel, spanTokens, tokenCost } from "@reenact/envelope/file";
import type { Manifest, ModelPrices } from "@reenact/envelope/schema";
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
  return known === null ? null : tokenCost(tokens, known);
}
