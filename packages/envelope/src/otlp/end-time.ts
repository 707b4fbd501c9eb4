/**
 * When something ended, null where it has not (`ended` is 0). An end before the start, as a clock that is set back in between
 * makes it, counts as the start: no duration is negative. Both in nanoseconds since the epoch.
 */
export function endTime(started: bigint, ended: bigint): bigint | null {
  if (ended === 0n) return null;
  return ended < started ? started : ended;
}
