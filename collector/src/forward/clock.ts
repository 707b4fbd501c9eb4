import { setTimeout as delay } from "node:timers/promises";

/** Time, so that a test can let an hour pass. Milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves when the time is over, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    delay(ms, undefined, { signal, ref: false }).catch((error: Error) => {
      if (error.name !== "AbortError") throw error;
    }),
};
