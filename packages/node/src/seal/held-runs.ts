import { runsStartedIn } from "../spool/runs-started-in.ts";
import type { Hold, Opening } from "./claim.ts";

/** Runs of one file that nobody may take now, and why. */
export interface HeldRuns extends Hold {
  readonly runs: number;
}

/** For `ClaimRule.held`: of files that are meant for a destination. One without a run is not worth a word. */
export function tellHeld(told: (held: HeldRuns) => void): (hold: Hold, path: string, opening: Opening) => void {
  return (hold, path, { targets }) => {
    const runs = targets.length === 0 ? 0 : runsStartedIn(path).length;
    if (runs > 0) told({ ...hold, runs });
  };
}
