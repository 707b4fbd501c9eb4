/**
 * The real things, captured when this module is loaded: before any patch of ours. Everything of ours that sleeps,
 * reads the clock or draws random numbers uses these, so that it never shows in a run's journal.
 */
import fs from "node:fs";
import timersPromises from "node:timers/promises";

export const originals = {
  Date,
  now: Date.now,
  performanceNow: performance.now.bind(performance),
  cpuUsage: process.cpuUsage,
  timeOrigin: performance.timeOrigin,
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
  queueMicrotask,
  fetch: globalThis.fetch,
  writeSync: fs.writeSync,
  timersPromises: {
    setTimeout: timersPromises.setTimeout,
    setImmediate: timersPromises.setImmediate,
    setInterval: timersPromises.setInterval,
  },
} as const;

/** Milliseconds since the epoch with a fraction, from the monotonic clock: never goes back within a process. */
export function epochNow(): number {
  return originals.timeOrigin + originals.performanceNow();
}
