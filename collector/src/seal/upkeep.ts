import type { Log } from "../log.ts";
import { nativeRules, type RetentionTimes } from "../retain/retention-times.ts";
import type { Sweep } from "../retain/sweep.ts";
import type { NativeExpiry } from "../store/native-expiry.ts";
import { ALIVE_EVERY } from "./catch-up.ts";
import type { RunCommits } from "./commit-runs.ts";
import type { PackPruner } from "./pack-pruner.ts";
import type { Packer } from "./packer.ts";

/** What sealing and retention do by the clock. */
export interface Upkeep {
  swept(): { readonly runs: number; readonly failures: number };
  stop(): void;
}

interface UpkeepDeps {
  readonly packer: Pick<Packer, "roll">;
  readonly pruner: Pick<PackPruner, "prune">;
  readonly commits: Pick<RunCommits, "saveCursors">;
  readonly sweep: Pick<Sweep, "sweep">;
  readonly noteAlive: () => Promise<void>;
  /** null: the store does not expire packs */
  readonly expiry: () => NativeExpiry | null;
  readonly times: RetentionTimes;
  /** milliseconds; 0: never */
  readonly sweepEvery: number;
  readonly maySweep: () => Promise<boolean>;
  /** what else is removed then */
  readonly sweepMore: () => Promise<unknown>;
  readonly log: Log;
}

const ROLL_EVERY = 1_000;

/** Writes packs that are due, removes replaced and expired ones, and saves the cursor. */
export function startUpkeep(deps: UpkeepDeps): Upkeep {
  const { packer, pruner, commits, sweep, expiry, times, sweepEvery, maySweep, sweepMore, log } = deps;
  const swept = { runs: 0, failures: 0 };
  const timers: NodeJS.Timeout[] = [];

  /** While a turn is still running, the next ones are skipped. */
  function every(ms: number, event: string, work: () => Promise<void>): void {
    let busy = false;
    const turn = () => {
      if (busy) return;
      busy = true;
      work()
        .catch((error: unknown) => log("error", event, { error }))
        .finally(() => (busy = false));
    };
    timers.push(setInterval(turn, ms));
  }

  every(ROLL_EVERY, "seal.not-pruned", () => pruner.prune());
  every(ROLL_EVERY, "seal.not-rolled", async () => {
    await packer.roll();
    await commits.saveCursors();
  });
  every(ALIVE_EVERY, "catalog.away", deps.noteAlive);
  if (sweepEvery > 0)
    every(sweepEvery, "retain.sweep-failed", async () => {
      if (!(await maySweep())) return;
      // another collector of the bucket may have written its rules over ours
      await expiry()?.install(nativeRules(times));
      const gone = await sweep.sweep();
      swept.runs += gone.runs;
      swept.failures += gone.failures;
      await sweepMore();
    });

  return {
    swept: () => swept,
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
