import { type DelayGroup, pairsOf, type RecordedDelay } from "./delay-pairs.ts";

/** From this number of a timer on, the recorded one has a number that is higher by `shift`; null: the record has none. */
interface Stretch {
  readonly own: number;
  readonly shift: number | null;
}

/**
 * Tells which timer of this run stands for a recorded one. Timers have the numbers in which they are set, so one more or
 * less would exchange all that follow: they are paired by their delays.
 */
export class TimerNumbers {
  readonly #scopes = new Map<number, { groups: DelayGroup[]; last: DelayGroup | null; isShifted: boolean }>();
  readonly #known = new Map<number, Stretch[]>();

  add(group: DelayGroup): void {
    const scope = this.#scopes.get(group.scope) ?? { groups: [], last: null, isShifted: false };
    this.#scopes.set(group.scope, scope);
    scope.groups.push(group);
  }

  /** Must be called before the delay of this timer is compared. */
  asked(group: DelayGroup, timer: number | undefined): void {
    if (timer === undefined) return;
    group.first ??= timer;
    const scope = this.#scopes.get(group.scope);
    if (scope === undefined) return;
    if (scope.last !== group && !scope.isShifted) {
      const from = scope.last === null ? 0 : scope.groups.indexOf(scope.last);
      scope.isShifted = between(scope.groups, from, group).some(
        ({ met, recorded, asked }) => met < recorded.length || asked.length > 0,
      );
    }
    scope.last = group;
    this.#known.delete(group.scope);
  }

  /** Number of the timer of this run that stands for a recorded one; null: none does. */
  ownOf(scope: number, recorded: number): number | null {
    const stretches = this.#stretches(scope);
    let end = Infinity;
    for (const { own, shift } of stretches.toReversed()) {
      const candidate = shift === null ? -1 : recorded - shift;
      if (candidate >= own && candidate < end) return candidate;
      end = own;
    }
    return null;
  }

  #stretches(scope: number): Stretch[] {
    const known = this.#known.get(scope) ?? this.#stretch(scope);
    this.#known.set(scope, known);
    return known;
  }

  #stretch(number: number): Stretch[] {
    const scope = this.#scopes.get(number);
    const list: Stretch[] = [{ own: 0, shift: 0 }];
    if (scope === undefined || scope.last === null) return list;
    const { groups, last } = scope;
    if (!scope.isShifted && last.asked.length === 0) return list;
    scope.isShifted = true;
    let shift = 0;
    const sorted = groups.toSorted((a, b) => a.interval - b.interval);
    for (const [i, group] of sorted.entries()) {
      if (group.interval > last.interval) break;
      if (group.first !== undefined) list.push({ own: group.first, shift });
      for (const { recorded, now } of pairsOf(group.recorded.slice(group.met), group.asked)) {
        if (now === null) shift++;
        else if (recorded === null) {
          shift--;
          list.push({ own: now.timer ?? 0, shift: null }, { own: (now.timer ?? 0) + 1, shift });
        } else {
          // the recorded timer is gone, and this is the one that was set after its delivery
          shift += goneBefore(now.ms, recorded, sorted.slice(i + 1));
          list.push({ own: now.timer ?? 0, shift });
        }
      }
    }
    return list;
  }
}

/** The groups from one on that are before another. */
const between = (groups: readonly DelayGroup[], from: number, { interval }: DelayGroup): DelayGroup[] =>
  groups.slice(from).filter((each) => each.interval < interval);

/**
 * 1 where the recorded run sets a timer to the delay of now in the next group that has any, no step has settled between, and this run has
 * not done so there; 0: the delay is equal or a changed one.
 */
function goneBefore(now: number, recorded: RecordedDelay, later: readonly DelayGroup[]): 0 | 1 {
  if (now === recorded.ms) return 0;
  const next = later.find((group) => group.recorded.length > 0);
  const open = next?.recorded.slice(next.met) ?? [];
  return open.some(({ ms, after }) => ms === now && after === recorded.after) ? 1 : 0;
}
