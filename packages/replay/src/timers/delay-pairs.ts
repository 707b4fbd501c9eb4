import type { CallerPlace } from "@reenact/capture/recorder";

/** A delay of the recorded journal. */
export interface RecordedDelay {
  /** number of deliveries before it */
  readonly interval: number;
  /** number of the tool step in whose body it was asked for; -1: outside every tool body */
  readonly scope: number;
  readonly ms: number;
  /** number of the step that had settled last; null: none */
  readonly after: number | null;
}

/** A delay that this run asks for. */
export interface AskedDelay {
  readonly ms: number;
  /** the function that was called: `setTimeout` */
  readonly what: string;
  readonly place: CallerPlace;
  /** the step that the record expects next; null at its end */
  readonly expected: number | null;
  /** the step that it belongs to; null: unknown */
  readonly by?: number | null;
  /** number of the timer in its scope */
  readonly timer?: number;
}

/** Delays of one interval between two deliveries and one tool body. */
export interface DelayGroup {
  readonly interval: number;
  readonly scope: number;
  readonly recorded: RecordedDelay[];
  /** number of recorded delays that this run asked for in order, before the first difference */
  met: number;
  /** number of the first timer of this run in it */
  first?: number | undefined;
  /** from the first difference on */
  readonly asked: AskedDelay[];
}

/** For a table of more cells, delays are compared by their position instead. */
const MOST_CELLS = 250_000;

export type Pair = { recorded: RecordedDelay | null; now: AskedDelay | null };

export function differencesOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): Pair[] {
  return pairsOf(recorded, asked).filter((pair) => pair.recorded?.ms !== pair.now?.ms);
}

/** Between equal delays, what is left on both sides is paired in order. */
export function pairsOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): Pair[] {
  const pairs: Pair[] = [];
  let [r, a] = [0, 0];
  const until = (toR: number, toA: number): void => {
    for (; r < toR || a < toA; r++, a++)
      pairs.push({ recorded: r < toR ? (recorded[r] ?? null) : null, now: a < toA ? (asked[a] ?? null) : null });
    [r, a] = [toR, toA];
  };
  for (const [atR, atA] of commonOf(recorded, asked)) {
    until(atR, atA);
    pairs.push({ recorded: recorded[atR] ?? null, now: asked[atA] ?? null });
    [r, a] = [atR + 1, atA + 1];
  }
  until(recorded.length, asked.length);
  return pairs;
}

/** Places of a longest common subsequence. */
function commonOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): [number, number][] {
  const width = asked.length + 1;
  if ((recorded.length + 1) * width > MOST_CELLS)
    return recorded.flatMap(({ ms }, i): [number, number][] => (asked[i]?.ms === ms ? [[i, i]] : []));
  const lengths = new Uint32Array((recorded.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = recorded.length - 1; i >= 0; i--)
    for (let j = asked.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        recorded[i]?.ms === asked[j]?.ms ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < recorded.length && j < asked.length;) {
    if (recorded[i]?.ms === asked[j]?.ms) common.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return common;
}
