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
      await pause(Math.min(LONGEST_MS, 100 * 2 ** attempt) * (0.5 + Math.random() / 2), options.signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
