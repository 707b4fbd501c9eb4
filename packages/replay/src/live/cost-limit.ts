import type { Content, Step } from "@reenact/capture/recorder";
import { priceOf } from "@reenact/envelope/file";
import { isRequest } from "../match/asked.ts";
import type { LiveOptions } from "./live-options.ts";
import type { Spending } from "./spending.ts";

/** Why a call of a model is not sent under `--max-cost`; null: it is. Calls that are under way count when they end. */
export function whyNotPaid(
  step: Step,
  content: Content | null,
  { maxCost, prices }: Pick<LiveOptions, "maxCost" | "prices">,
  spending: Spending,
): { readonly reason: "max-cost"; readonly message: string } | null {
  if (maxCost === null) return null;
  const what = `step ${step.index + 1} (${step.op}) was not sent`;
  const stopped = (why: string): { reason: "max-cost"; message: string } => ({
    reason: "max-cost",
    message: `${what}: ${why}`,
  });
  const { usd } = spending;
  if (usd >= maxCost) return stopped(`${usd.toFixed(4)} dollars were spent of --max-cost ${maxCost}`);
  if (spending.unknown !== null) return stopped(`${spending.unknown}, so --max-cost cannot be kept`);
  const model = content === null || !isRequest(content) ? null : modelOf(step, content.url, content.body);
  if (prices === null || model === null || priceOf(model, prices) === null)
    return stopped(`model ${model ?? "(not named)"} has no price in --prices, so --max-cost cannot be kept`);
  return null;
}

function modelOf({ operation }: Step, url: string, body: string | Uint8Array | null): string | null {
  const text = body === null || typeof body === "string" ? body : Buffer.from(body).toString();
  return operation?.view({ url, text }, null).model.asked ?? null;
}
