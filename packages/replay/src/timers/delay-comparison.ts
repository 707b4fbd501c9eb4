import { callerPlace } from "@reenact/capture/recorder";
import { type AskedDelay, type DelayGroup, differencesOf, type RecordedDelay } from "./delay-pairs.ts";
import { TimerNumbers } from "./timer-numbers.ts";

/** Where a delay is asked for, by the record. */
type Where = Pick<RecordedDelay, "interval" | "scope"> & Pick<AskedDelay, "expected" | "by" | "timer">;

/** One delay that differs. `recorded` null: the recorded run asked for none there; `now` null: this run asks for none. */
export type DelayDifference =
  | { readonly recorded: RecordedDelay | null; readonly now: AskedDelay; readonly isLater: boolean }
  | { readonly recorded: RecordedDelay; readonly now: null };

/** Differences kept with their places, per interval and scope. */
const MOST = 64;

/**
 * Compares the delays that timers and time-outs are set to with the recorded ones, per section between two deliveries and
 * tool body; completed operations do not divide sections, since a program may make more or fewer of them. Where native wake-ups are recorded, whose place among deliveries is not exact, all intervals count as one.
 */
export class DelayComparison {
  readonly #groups = new Map<string, DelayGroup>();
  readonly #hasWakeUps: boolean;
  readonly #isRecorded: boolean;
  readonly #timers = new TimerNumbers();
  readonly #sectionOf: (interval: number) => number;

  constructor(
    recorded: readonly RecordedDelay[],
    {
      hasWakeUps,
      isRecorded,
      sectionOf,
    }: { hasWakeUps: boolean; isRecorded: boolean; sectionOf(interval: number): number },
  ) {
    this.#sectionOf = sectionOf;
    this.#hasWakeUps = hasWakeUps;
    this.#isRecorded = isRecorded;
    if (isRecorded) for (const delay of recorded) this.#group(delay.interval, delay.scope).recorded.push(delay);
  }

  asked(ms: number, where: Where, what: string): void {
    if (!this.#isRecorded) return;
    const group = this.#group(where.interval, where.scope);
    this.#timers.asked(group, where.timer);
    if (group.asked.length === 0 && group.recorded[group.met]?.ms === ms) group.met++;
    else if (group.asked.length < MOST)
      group.asked.push({ ms, what, place: callerPlace(), ...where, by: where.by ?? null });
  }

  /** Number of the timer of this run that stands for a recorded one; null: none does. */
  timerOf(scope: number, recorded: number): number | null {
    return this.#timers.ownOf(scope, recorded);
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

  #group(interval: number, scope: number): DelayGroup {
    const at = this.#hasWakeUps ? 0 : this.#sectionOf(interval);
    const key = `${at} ${scope}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { interval: at, scope, recorded: [], met: 0, asked: [] };
      this.#groups.set(key, group);
      this.#timers.add(group);
    }
    return group;
  }
}
