import { live } from "./context.ts";
import { guarded } from "./guard.ts";
import { isLearnt, learn } from "./node-frames.ts";
import { originals } from "./originals.ts";

/** Longest that a replay waits for the frames, milliseconds. */
const PATIENCE_MS = 50;
let since = 0;

/** Lets one timer of each kind ring, to know what Node has below its callback. Does not keep the event loop alive. */
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

function isNodes(site: NodeJS.CallSite, files: RegExp): boolean {
  return files.test(site.getFileName() ?? "");
}

/** Whether a callback of a timer can be shown as Node's. */
export function knowsTimers(): boolean {
  return (
    since === 0 ||
    (isLearnt("Timeout") && isLearnt("Immediate") && isLearnt("AbortSignal.timeout")) ||
    originals.performanceNow() - since > PATIENCE_MS
  );
}
