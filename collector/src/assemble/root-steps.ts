import { rootFacts } from "@reenact/envelope/schema";

/** How many steps a run has by its root facts, JSON at `from`; null: they do not say, so completeness is not known. */
export function stepsOfRoot(body: Buffer, from: number, length: number): number | null {
  try {
    const parsed = rootFacts.safeParse(JSON.parse(body.toString("utf8", from, from + length)));
    if (!parsed.success || parsed.data.lanes === undefined || parsed.data.died) return null;
    return parsed.data.steps ?? null;
  } catch {
    return null;
  }
}
