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

/**
 * Pairs them in order, with as few changed, added and removed delays as possible, and then with as many equal ones: a timer that was
 * given the delay of another one is a changed one.
 */
export function pairsOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): Pair[] {
  const pairs: Pair[] = [];
  const add = (r: number, a: number): void => void pairs.push({ recorded: recorded[r] ?? null, now: asked[a] ?? null });
  const width = asked.length + 1;
  if ((recorded.length + 1) * width > MOST_CELLS) {
    for (let i = 0; i < Math.max(recorded.length, asked.length); i++) add(i, i);
    return pairs;
  }
  const costs = costsOf(recorded, asked);
  const cost = (i: number, j: number): number => costs[i * width + j] ?? Infinity;
  let [i, j] = [0, 0];
  while (i < recorded.length || j < asked.length) {
    const now = cost(i, j);
    const both = i < recorded.length && j < asked.length;
    if (both && cost(i + 1, j + 1) + stepCost(recorded[i], asked[j]) === now) add(i++, j++);
    else if (i < recorded.length && cost(i + 1, j) + CHANGE === now) add(i++, -1);
    else add(-1, j++);
  }
  return pairs;
}

/** Of one delay that is changed, added or removed; an equal one counts against it. */
const CHANGE = 1_000_000;
const stepCost = (recorded: RecordedDelay | undefined, now: AskedDelay | undefined): number =>
  recorded?.ms === now?.ms ? -1 : CHANGE;

/** What it costs to pair the rest, from each place in both on. */
function costsOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): Float64Array {
  const width = asked.length + 1;
  const costs = new Float64Array((recorded.length + 1) * width);
  const cost = (i: number, j: number): number => costs[i * width + j] ?? 0;
  for (let i = recorded.length; i >= 0; i--)
    for (let j = asked.length; j >= 0; j--) {
      if (i === recorded.length) costs[i * width + j] = (asked.length - j) * CHANGE;
      else if (j === asked.length) costs[i * width + j] = (recorded.length - i) * CHANGE;
      else
        costs[i * width + j] = Math.min(
          cost(i + 1, j + 1) + stepCost(recorded[i], asked[j]),
          cost(i + 1, j) + CHANGE,
          cost(i, j + 1) + CHANGE,
        );
    }
  return costs;
}
