import { originals } from "@reenact/capture/recorder";

/** How long a thread may stand still for an answer, all in all. Milliseconds. */
export interface WaitBudget {
  left(): number;
  spent(ms: number): void;
  /** The process ends: from now on there is time until then (`performance.now`), and for nothing else. */
  until(deadline: number): void;
}

/** Beside `most` at the beginning, a tenth of the time that passes; never more than `most` at once. */
const SHARE = 0.1;

export function createWaitBudget(most: number): WaitBudget {
  let had = most;
  let at = originals.performanceNow();
  let end: number | null = null;
  function left(): number {
    const now = originals.performanceNow();
    if (end !== null) return Math.max(0, end - now);
    had = Math.min(most, had + (now - at) * SHARE);
    at = now;
    return Math.max(0, had);
  }
  return {
    left,
    spent(ms) {
      had = left() - ms;
    },
    until(deadline) {
      end = deadline;
    },
  };
}

/** For a thread that only the person who started it waits for. */
export const ENDLESS: Pick<WaitBudget, "left" | "spent"> = { left: () => Infinity, spent: () => {} };
