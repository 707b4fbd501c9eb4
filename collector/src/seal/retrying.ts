import type { Log } from "../log.ts";

const LONGEST_MS = 30_000;

/**
 * Does it until it succeeds, `giveUp` says that this error will not pass, or the signal aborts; then it throws the last
 * error. Waits 0.1 s, doubling, at most 30 s, each time a random half to whole of it.
 */
export async function retrying<T>(
  work: () => Promise<T>,
  options: { event: string; log: Log; signal: AbortSignal; giveUp: (error: unknown) => boolean },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (options.giveUp(error) || options.signal.aborted) throw error;
      options.log(attempt < 3 ? "warn" : "error", options.event, { attempt, error });
      await waitBeforeRetry(attempt, LONGEST_MS, options.signal);
    }
  }
}

/** `attempt` counts from 0. Ends early when the signal aborts. */
export function waitBeforeRetry(attempt: number, longestMs: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(longestMs, 100 * 2 ** attempt) * (0.5 + Math.random() / 2);
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
