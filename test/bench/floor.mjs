import { median } from "./statistics.mjs";

/**
 * A recorded call may take the agent's thread this many times what it takes under a usual peer, the call itself with it. Today it is
 * 1.1 to 1.5 times; the margin is for a noisy machine, and for a run of seconds.
 */
const MOST = 5;

/** Says where recording has become much slower than under the peers of the same run; null: nowhere. */
export function whatIsTooSlow(measured) {
  for (const job of ["history", "fresh", "usual"]) {
    const { nothing, reenact, "reenact-sent": _, ...peers } = measured[job];
    const usual = nothing.thread + median(Object.values(peers).map(({ thread }) => thread));
    const ratio = (nothing.thread + reenact.thread) / usual;
    if (ratio > MOST)
      return `a call (${job}) takes the agent's thread ${ratio.toFixed(1)} times as long as under a usual peer; the most is ${MOST}`;
  }
  return null;
}
