import type { Journal, Position } from "../journal/journal.ts";
import type { Log } from "../log.ts";

/**
 * Gives up the journal behind everybody who still reads it, each `every` milliseconds. A reader that is null has not
 * said yet where it is: then nothing is given up.
 */
export function startRelease(
  journal: Pick<Journal, "release">,
  readers: () => readonly (Position | null)[],
  log: Log,
  every = 1000,
): { now(): void; close(): void } {
  function now(): void {
    const positions = readers();
    const known = positions.filter((each) => each !== null);
    if (known.length === 0 || known.length < positions.length) return;
    try {
      journal.release(known.reduce((first, each) => (each < first ? each : first)));
    } catch (error) {
      log("warn", "journal.not-released", { error });
    }
  }
  const timer = setInterval(now, every);
  return { now, close: () => clearInterval(timer) };
}
