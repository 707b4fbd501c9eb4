import { epochNow, originals } from "../patch/originals.ts";
import { live, type RunContext } from "./context.ts";
import { recorder } from "./recorder.ts";

const LOOK_MS = 260;

/**
 * Calls `done` once nothing of a run has happened for `quiet()` ms and no step of it is open.
 *
 * @param active called each time when something has happened, with the time of it: epoch ms
 */
export function whenQuiet(
  run: RunContext,
  quiet: () => number,
  { active = () => {}, done }: { active?: (at: number) => void; done: () => void },
): void {
  const activity = (): number => run.steps + run.source.gate.delivered;
  let seen = activity();
  let since = originals.performanceNow();
  const look = (): void => {
    const now = originals.performanceNow();
    const { idleMs } = run;
    if (idleMs === Infinity || activity() !== seen) {
      [seen, since] = [activity(), now];
      active(epochNow());
    }
    // in a replay nothing more comes of what was open at the end
    if (now - since < Math.max(quiet(), recorder.isReplay && idleMs < Infinity ? 0 : idleMs)) later();
    else if (run.source.gate.mayEnd?.() === false) later();
    else done();
  };
  const later = (): void => {
    const wait = Math.min(quiet(), LOOK_MS);
    live(() => void originals.setTimeout(look, wait).unref());
  };
  later();
}
