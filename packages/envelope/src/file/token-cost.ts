import type { ModelPrice, ModelPrices } from "../schema/model-prices.ts";

/** The price of the longest name that the model's name begins with; null: it has none. */
export function priceOf(model: string, { models }: ModelPrices): ModelPrice | null {
  const names = Object.keys(models).filter((name) => model.startsWith(name));
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest === "" ? null : (models[longest] ?? null);
}

/** What tokens cost, millionths of a US dollar. `tokens`: counts under the names of `spanTokens`. */
export function tokenCost(
  tokens: Readonly<Record<string, number>>,
  price: ModelPrice,
): { prompt: number; completion: number } {
  const { prompt = 0, completion = 0 } = tokens;
  const cached = Math.min(prompt, tokens["prompt_details.cache_read"] ?? 0);
  const asked = (prompt - cached) * price.input + cached * (price.cached ?? price.input);
  return { prompt: asked, completion: completion * price.output };
}
