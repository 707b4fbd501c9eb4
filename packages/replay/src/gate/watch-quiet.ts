import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { live, originals } from "@reenact/capture/recorder";
import { QuietCount } from "./quiet-count.ts";

const QUARTER_MS = 250;
/** Of all threads, in a quarter of a second in which the program sleeps. */
const MOST_CPU_US = 100_000;

export interface Watched {
  readonly closed: boolean;
  /** the agent waits, and nothing is about to be delivered */
  readonly waits: boolean;
  /** deliveries so far */
  readonly delivered: number;
  /** quarters of a second that it may be quiet */
  readonly waitBudget: number;
  /** the same while a thread computes: what the program waits for may come from there */
  readonly waitBudgetWithThreads?: number;
}

/** For a loop that a real handle keeps alive: calls `quiet` when it slept for so long, and nothing moved. */
export function watchQuiet(watched: Watched, quiet: () => void): void {
  let seen = -1;
  // a thread may compute while the loop sleeps
  let [asleep, idle] = [new QuietCount(), new QuietCount()];
  // it reads a clock that is the outer run's where an agent is called inside one
  const utilization = (since?: EventLoopUtilization): EventLoopUtilization =>
    live(() => performance.eventLoopUtilization(since));
  let before = utilization();
  let used = originals.cpuUsage();
  const dog = live(() =>
    originals.setInterval(() => {
      if (watched.closed) return originals.clearInterval(dog);
      const now = utilization(before);
      before = utilization();
      const { user, system } = originals.cpuUsage(used);
      used = originals.cpuUsage();
      const isIdle = now.utilization < 0.2;
      const isQuiet = watched.waits && seen === watched.delivered;
      asleep.add({ isQuiet, sleeps: isIdle && user + system < MOST_CPU_US });
      idle.add({ isQuiet, sleeps: isIdle });
      seen = watched.delivered;
      if (asleep.quarters >= watched.waitBudget || idle.quarters >= (watched.waitBudgetWithThreads ?? Infinity)) {
        [asleep, idle] = [new QuietCount(), new QuietCount()];
        live(quiet);
      }
    }, QUARTER_MS),
  );
  dog.unref();
}
