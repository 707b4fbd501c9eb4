import { live, originals, type RunContext } from "@reenact/capture/recorder";
import type { Sender } from "./sender.ts";

const LOOK_MS = 5;

/** What a flush looks at. */
export interface Flushed {
  /** runs whose root is not written; one that is over waits for another thread to read its long texts */
  readonly open: Iterable<RunContext>;
  /** how many roots were written so far */
  written(): number;
}

/**
 * How a process that may be frozen sends what its runs have left; null: nothing is sent, or nobody waits for it. It gives null where
 * no run has ended since it was last asked.
 */
export function flusher(
  sender: Sender | null,
  { open, written }: Flushed,
  withinMs: number,
): (() => Promise<void> | null) | null {
  if (sender === null || withinMs === 0) return null;
  let flushed = 0;
  const isEnding = (): boolean => [...open].some(({ over }) => over);
  const flush = async (): Promise<void> => {
    const until = originals.performanceNow() + withinMs;
    const left = (): number => until - originals.performanceNow();
    while (isEnding() && left() > 0) await live(() => new Promise((resolve) => originals.setTimeout(resolve, LOOK_MS)));
    flushed = written();
    if (left() > 0) await sender.flush(left());
  };
  return () => (written() === flushed && !isEnding() ? null : flush());
}
