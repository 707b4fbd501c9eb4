import { runsStartedIn } from "../spool/runs-started-in.ts";
import type { NotClaimable, Opening } from "./claim.ts";

/** Runs of one file that cannot be claimed now, and why. */
export interface HeldRuns extends NotClaimable {
  readonly runs: number;
}

/** For `ClaimRule.held`: reports files that are meant for a destination; a file without a run is not reported. */
export function reportHeldRuns(
  told: (held: HeldRuns) => void,
): (reason: NotClaimable, path: string, opening: Opening) => void {
  return (reason, path, { targets }) => {
    const runs = targets.length === 0 ? 0 : runsStartedIn(path).length;
    if (runs > 0) told({ ...reason, runs });
  };
}
