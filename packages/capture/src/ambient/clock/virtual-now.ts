import type { RunContext } from "../../run/context.ts";

const latest = new WeakMap<RunContext, number>();

/** The time inside a replayed run, epoch milliseconds: the latest one that its agent has seen. */
export function virtualNow(run: RunContext): number {
  return latest.get(run) ?? run.started;
}

export function sawTime(run: RunContext, at: number): void {
  if (at > virtualNow(run)) latest.set(run, at);
}
