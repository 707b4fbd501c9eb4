import type { RootFacts } from "@reenact/envelope/schema";

/**
 * How many steps a run has by its root facts, JSON at `from`; null: they do not say, so completeness is not known. Only what
 * is asked here is checked: the rest is when the run is sealed.
 */
export function stepsOfRoot(body: Buffer, from: number, length: number): number | null {
  try {
    const facts = JSON.parse(body.toString("utf8", from, from + length)) as Partial<RootFacts> | null;
    const { v, lanes, died, steps } = facts ?? {};
    if (v !== 1 || typeof lanes !== "object" || lanes === null || died) return null;
    return Number.isSafeInteger(steps) && steps! >= 0 ? steps! : null;
  } catch {
    return null;
  }
}
