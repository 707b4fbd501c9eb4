import { type CallerPlace, callerPlace } from "@reenact/capture";

/** A delay of the recorded journal. */
export interface RecordedDelay {
  /** so many deliveries were before it */
  readonly interval: number;
  /** number of the tool step in whose body it was asked for; -1: outside every tool body */
  readonly scope: number;
  readonly ms: number;
  /** number of the step that had settled last; null: none */
  readonly after: number | null;
}

/** Where a delay is asked for, by the record. */
type Where = Pick<RecordedDelay, "interval" | "scope"> & Pick<AskedDelay, "expected" | "by">;

/** A delay that this run asks for. */
interface AskedDelay {
  readonly ms: number;
  /** the function that was called: `setTimeout` */
  readonly what: string;
  readonly place: CallerPlace;
  /** the step that the record expects next; null at its end */
  readonly expected: number | null;
  /** the step that it belongs to; null: unknown */
  readonly by?: number | null;
}

/** One delay that differs. `recorded` null: the recorded run asked for none there; `now` null: this run asks for none. */
export type DelayDifference =
  | { readonly recorded: RecordedDelay | null; readonly now: AskedDelay; readonly isLater: boolean }
  | { readonly recorded: RecordedDelay; readonly now: null };

interface Group {
  readonly interval: number;
  readonly scope: number;
  readonly recorded: RecordedDelay[];
  /** so many recorded delays were met in order, before the first difference */
  met: number;
  /** from the first difference on */
  readonly asked: AskedDelay[];
}

/** Differences kept with their places, per interval and scope. */
const MOST = 64;
/** A table of more cells is not made: delays are compared by their position then. */
const MOST_CELLS = 250_000;

/**
 * Compares the delays that timers and time-outs are set to with the recorded ones, per interval between two deliveries and
 * tool body. Where native wake-ups are recorded, whose place among deliveries is not exact, all intervals count as one.
 */
export class DelayBook {
  readonly #groups = new Map<string, Group>();
  readonly #hasWakeUps: boolean;
  readonly #isRecorded: boolean;

  constructor(
    recorded: readonly RecordedDelay[],
    { hasWakeUps, isRecorded }: { hasWakeUps: boolean; isRecorded: boolean },
  ) {
    this.#hasWakeUps = hasWakeUps;
    this.#isRecorded = isRecorded;
    for (const delay of recorded) this.#group(delay.interval, delay.scope).recorded.push(delay);
  }

  asked(ms: number, where: Where, what: string): void {
    if (!this.#isRecorded) return;
    const group = this.#group(where.interval, where.scope);
    if (group.asked.length === 0 && group.recorded[group.met]?.ms === ms) group.met++;
    else if (group.asked.length < MOST)
      group.asked.push({ ms, what, place: callerPlace(), expected: where.expected, by: where.by ?? null });
  }

  /** In recorded order. */
  differences(): DelayDifference[] {
    if (!this.#isRecorded) return [];
    const groups = [...this.#groups.values()].sort((a, b) => a.interval - b.interval);
    const last = new Map<string, number>();
    for (const { interval, scope, recorded } of groups)
      for (const { ms } of recorded) last.set(`${scope} ${ms}`, interval);
    return groups.flatMap((group) => {
      const left = group.recorded.slice(group.met);
      if (left.length === 0 && group.asked.length === 0) return [];
      return differencesOf(left, group.asked).map(({ recorded, now }): DelayDifference => {
        if (now === null) return { recorded: recorded as RecordedDelay, now };
        const isLater = (last.get(`${group.scope} ${now.ms}`) ?? -1) > group.interval;
        return { recorded, now, isLater };
      });
    });
  }

  #group(interval: number, scope: number): Group {
    const at = this.#hasWakeUps ? 0 : interval;
    const key = `${at} ${scope}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { interval: at, scope, recorded: [], met: 0, asked: [] };
      this.#groups.set(key, group);
    }
    return group;
  }
}

type Pair = { recorded: RecordedDelay | null; now: AskedDelay | null };

/** Between equal delays, what is left on both sides is paired in order. */
function differencesOf(recorded: readonly RecordedDelay[], asked: readonly AskedDelay[]): Pair[] {
  const pairs: Pair[] = [];
  let [r, a] = [0, 0];
  const until = (toR: number, toA: number): void => {
    for (; r < toR || a < toA; r++, a++)
      pairs.push({ recorded: r < toR ? (recorded[r] ?? null) : null, now: a < toA ? (asked[a] ?? null) : null });
    [r, a] = [toR, toA];
  };
  for (const [atR, atA] of commonOf(recorded, asked)) {
    until(atR, atA);
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
