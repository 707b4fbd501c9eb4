import { live } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { isLearnt, learn } from "../../patch/node-frames.ts";
import { originals } from "../../patch/originals.ts";

/** Longest that a replay waits for the frames, milliseconds. */
const PATIENCE_MS = 50;
let since = 0;

/** Starts one timer of each kind to learn the frames of Node below its callback. Does not keep the event loop alive. */
export function watchTimers(timeout: (ms: number) => AbortSignal): void {
  if (since !== 0) return;
  since = originals.performanceNow();
  live(() => {
    const below = (key: string) => (): void =>
      guarded("stacks", undefined, () =>
        learn(
          key,
          () => new Error().stack,
          (trace) => trace.filter((site) => isNodes(site, /^node:internal\/timers$/)),
        ),
      );
    originals.setTimeout(below("Timeout"), 1).unref();
    originals.setImmediate(below("Immediate")).unref();
    const signal = timeout(1);
    const ended = (): void =>
      guarded("stacks", undefined, () =>
        learn(
          "AbortSignal.timeout",
          () => (signal.reason as Error).stack,
          (trace) => trace.filter((site) => isNodes(site, /^node:internal\/(?:timers|abort_controller)$/)),
        ),
      );
    signal.addEventListener("abort", ended, { once: true });
  });
}

const cancelledTimers: Readonly<Record<"Timeout" | "Immediate", (signal: AbortSignal) => Promise<unknown>>> = {
  Timeout: (signal) => originals.timersPromises.setTimeout(1, undefined, { signal }),
  Immediate: (signal) => originals.timersPromises.setImmediate(undefined, { signal }),
};
const asked = new Set<string>();

/**
 * Learns the frames of Node between the `abort()` that ends a promise of a timer and the error that it rejects with. Called
 * when a program first waits in this way and not earlier: Node counts the rejection, and prints the count in warnings.
 */
export function learnCancelled(type: "Timeout" | "Immediate"): void {
  if (asked.has(type)) return;
  asked.add(type);
  live(() => {
    const stop = new AbortController();
    cancelledTimers[type](stop.signal).catch((error: unknown) =>
      guarded("stacks", undefined, () =>
        learn(
          `${type} cancelled`,
          () => (error as Error).stack,
          (trace) => trace.filter((site) => isNodes(site, /^node:timers\/promises$/)),
        ),
      ),
    );
    stop.abort();
  });
}

function isNodes(site: NodeJS.CallSite, files: RegExp): boolean {
  return files.test(site.getFileName() ?? "");
}

/** Whether the frames below timer callbacks are learnt, or need not be waited for any longer. */
export function knowsTimers(): boolean {
  return (
    since === 0 ||
    (isLearnt("Timeout") && isLearnt("Immediate") && isLearnt("AbortSignal.timeout")) ||
    originals.performanceNow() - since > PATIENCE_MS
  );
}
