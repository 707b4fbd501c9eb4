import type { Step } from "@reenact/capture/recorder";
import { priceOf, tokenCost } from "@reenact/envelope/file";
import type { ModelPrices } from "@reenact/envelope/schema";
import { usageOfStep } from "./usage-of-step.ts";

/** What the live calls of a replay have cost, by the usage that their providers report. */
export class Spending {
  readonly #prices: ModelPrices | null;
  readonly #open = new Set<Step>();
  readonly #costs = new Map<Step, number | null>();
  /** why the cost of a call is not known; null: all are */
  unknown: string | null = null;

  readonly #keep: (usd: number) => void;

  /** `keep` is told what is spent whenever that grows: a process that is killed has no other chance to say it. */
  constructor(prices: ModelPrices | null, keep: (usd: number) => void = () => {}) {
    this.#prices = prices;
    this.#keep = keep;
  }

  sent(step: Step): void {
    this.#open.add(step);
  }

  /** US dollars for all calls that have ended; of some with an unknown cost, see `unknown`. */
  get usd(): number {
    this.#count();
    return this.#sum;
  }

  get #sum(): number {
    return [...this.#costs.values()].reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  }

  /** Adds the calls that have ended to the sum, and keeps a sum that has grown where the launcher reads it. */
  update(): void {
    this.#count();
  }

  /** Null: it is not known, or there was none. */
  costOf(step: Step): number | null {
    this.#count();
    return this.#costs.get(step) ?? null;
  }

  /** What is still under way when the process ends is paid, and nobody knows how much. */
  end(): void {
    this.#count();
    for (const step of this.#open) this.#notKnown(step, "its answer was not awaited");
    this.#open.clear();
  }

  #count(): void {
    let hasGrown = false;
    for (const step of this.#open) {
      if (step.state === "open" && !step.exchange?.end) continue;
      this.#open.delete(step);
      const cost = this.#costNow(step);
      this.#costs.set(step, cost);
      hasGrown ||= (cost ?? 0) > 0;
    }
    if (hasGrown) this.#keep(this.#sum);
  }

  #costNow(step: Step): number | null {
    const usage = usageOfStep(step);
    if (usage === null) return 0;
    const { model, tokens } = usage;
    if (Object.keys(tokens).length === 0) return this.#notKnown(step, "its answer says nothing of tokens");
    if (this.#prices === null) return this.#notKnown(step, "there is no list of prices (--prices)");
    const price = model === null ? null : priceOf(model, this.#prices);
    if (price === null) return this.#notKnown(step, `model ${model ?? "(not named)"} has no price`);
    const { prompt, completion } = tokenCost(tokens, price);
    return (prompt + completion) / 1e6;
  }

  #notKnown(step: Step, why: string): null {
    this.unknown ??= `the cost of step ${step.index + 1} (${step.op}) is not known: ${why}`;
    return null;
  }
}
