import { live, originals, type RunContext } from "@reenact/capture/recorder";
import type { Sender } from "./sender.ts";

const LOOK_MS = 5;

/**
 * How a process that may be frozen sends what its runs have left; null: nothing is sent, or nobody waits for it.
 *
 * @param open runs whose root is not written; one that is over waits for another thread to read its long texts
 */
export function flusher(
  sender: Sender | null,
  open: Iterable<RunContext>,
  withinMs: number,
): (() => Promise<void>) | null {
  if (sender === null || withinMs === 0) return null;
  return async () => {
    const until = originals.performanceNow() + withinMs;
    const left = (): number => until - originals.performanceNow();
    const isEnding = (): boolean => [...open].some(({ over }) => over);
    while (isEnding() && left() > 0) await live(() => new Promise((resolve) => originals.setTimeout(resolve, LOOK_MS)));
    if (left() > 0) await sender.flush(left());
  };
}
