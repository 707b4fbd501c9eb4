import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { live, originals } from "@reenact/capture";

const QUARTER_MS = 250;
/** Of all threads, in a quarter of a second in which the program sleeps. */
const MOST_CPU_US = 100_000;

export interface Watched {
  readonly closed: boolean;
  /** somebody waits, and nothing is about to be delivered */
  readonly waits: boolean;
  /** deliveries so far */
  readonly delivered: number;
  /** quarters of a second that it may be quiet */
  readonly patience: number;
  /** the same while a thread computes: what the program waits for may come from there */
  readonly patienceWithThreads?: number;
}

/** For a loop that a real handle keeps alive: calls `quiet` when it slept for so long, and nothing moved. */
export function watchQuiet(watched: Watched, quiet: () => void): void {
  let [quarters, busy, seen] = [0, 0, -1];
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
      // a thread may compute while the loop sleeps
      const sleeps = now.utilization < 0.2 && user + system < MOST_CPU_US;
      const isQuiet = watched.waits && seen === watched.delivered;
      quarters = isQuiet && sleeps ? quarters + 1 : 0;
      busy = isQuiet && now.utilization < 0.2 ? busy + 1 : 0;
      seen = watched.delivered;
      if (quarters >= watched.patience || busy >= (watched.patienceWithThreads ?? Infinity)) {
        quarters = busy = 0;
        live(quiet);
      }
    }, QUARTER_MS),
  );
  dog.unref();
}
