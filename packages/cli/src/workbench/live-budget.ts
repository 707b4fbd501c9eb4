import type { LiveBudget } from "@reenact/collector";
import type { ReplayReport } from "@reenact/replay";

/** What `reenact up` was told that pages may send. */
export interface LiveLimits {
  /** US dollars, for all live replays together */
  readonly maxCost: number;
  /** absolute */
  readonly prices: string;
  readonly to: readonly string[];
}

/** Counts what live replays have cost. */
export function openLiveBudget({ maxCost }: LiveLimits) {
  let spent = 0;
  return {
    now: (): LiveBudget => ({ limit: maxCost, left: Math.max(0, maxCost - spent) }),
    /** Where the cost of a replay is not known, all of it may be spent: nothing more is sent. */
    count(report: ReplayReport | null) {
      spent = report === null || report.costUsd === null ? maxCost : spent + report.costUsd;
    },
  };
}
