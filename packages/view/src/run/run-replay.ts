import type { Manifest } from "@reenact/envelope/schema";

/** What a replay said of the recorded run; null: not known. */
export interface RunReplay {
  readonly verdict: string | null;
  /** the first cause for which it is not identical */
  readonly cause: string | null;
  /** number of the recorded step, from 1 */
  readonly step: number | null;
}

/** null: the run is no replay. */
export function runReplay({ replay }: Pick<Manifest, "replay">): RunReplay | null {
  if (replay === undefined) return null;
  const { verdict, divergence } = replay;
  // the step of another run of the process is none of the run that this one replays
  const step = divergence?.run === undefined ? divergence?.step : null;
  return { verdict: verdict ?? null, cause: divergence?.cause ?? null, step: step ?? null };
}
