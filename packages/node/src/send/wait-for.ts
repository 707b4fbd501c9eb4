import { setTimeout as delay } from "node:timers/promises";

/** Resolves when the time is over, or as soon as the signal aborts. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if ((error as Error).name !== "AbortError") throw error;
  }
}
