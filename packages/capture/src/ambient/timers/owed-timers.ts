import type { RunContext } from "../../run/context.ts";

const owed = new WeakMap<RunContext, number>();

/** How many timers of a request's run are still to fire. Of other runs nothing is counted. */
export function owedTimers(run: RunContext): number {
  return owed.get(run) ?? 0;
}

/** A timer is armed (`change` 1), or fires or is cleared (−1). */
export function countOwed(run: RunContext, change: 1 | -1): void {
  if (run.start.trigger === "request") owed.set(run, owedTimers(run) + change);
}
