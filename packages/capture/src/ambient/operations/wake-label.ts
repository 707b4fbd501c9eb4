import type { RunFrame, RunContext } from "../../run/context.ts";

const counts = new WeakMap<RunContext, Map<string, number>>();

/** `TYPE#n`: the next thing of this type, counted in the frame's run and scope, that may wake the agent by itself. */
export function wakeLabel(frame: RunFrame, type: string): string {
  const run = frame.run;
  let seen = counts.get(run);
  if (seen === undefined) counts.set(run, (seen = new Map<string, number>()));
  const key = `${frame.scope} ${type}`;
  const n = (seen.get(key) ?? 0) + 1;
  seen.set(key, n);
  return `${type}#${n}`;
}
