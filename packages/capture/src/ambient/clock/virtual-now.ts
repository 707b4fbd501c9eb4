import type { Run } from "../../run/run.ts";

const latest = new WeakMap<Run, number>();

/** The time inside a replayed run, epoch milliseconds: the latest one that its agent has seen. */
export function virtualNow(run: Run): number {
  return latest.get(run) ?? run.started;
}

export function sawTime(run: Run, at: number): void {
  if (at > virtualNow(run)) latest.set(run, at);
}
