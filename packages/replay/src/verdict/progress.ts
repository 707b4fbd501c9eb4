import { nameOfSlot } from "../tape/slot-name.ts";

/** Calls of one place that are in no record, without a served one between. */
const MOST_OF_ONE = 50;
const MOST_IN_ALL = 1000;
/** Attempts of one refused effect, without a served call between. */
const MOST_REFUSED = 200;
/** Timers and operations that are in no record, after the recorded order was lost. */
const MOST_DELIVERIES = 5000;

/** Ends a replay that makes no progress: an agent that retries forever would run until the time limit. */
export class Progress {
  readonly #stop: (why: string) => void;
  readonly #missed = new Map<string, number>();
  #deliveries = 0;
  #missedInAll = 0;
  /** grows with all that happens */
  events = 0;

  constructor(stop: (why: string) => void) {
    this.#stop = stop;
  }

  /** A recorded call was served. */
  served(): void {
    this.events++;
    this.#missed.clear();
    this.#deliveries = 0;
    this.#missedInAll = 0;
  }

  /** A call that is in no record. */
  missed(place: string, slot: string): void {
    // each call of a tool has a path of its own
    const count = this.#count(place.replaceAll(/#\d+/g, ""));
    if (count > MOST_OF_ONE)
      this.#stop(`${nameOfSlot(slot)} is in no record, and the agent has tried ${count} calls like it`);
    else if (++this.#missedInAll > MOST_IN_ALL)
      this.#stop(`the agent has made ${this.#missedInAll} calls that are in no record`);
  }

  /** An effect that a replay refuses. */
  refused(kind: string, target: string): void {
    const count = this.#count(`${kind} ${target}`);
    if (count > MOST_REFUSED) this.#stop(`${kind} ${target} is refused, and the agent has tried it ${count} times`);
  }

  /** The record holds no such delivery, and its order is lost. `waiting`: all that the agent waits for. */
  delivered(waiting: () => string): void {
    this.events++;
    if (++this.#deliveries > MOST_DELIVERIES)
      this.#stop(`no recorded call comes any more, and the agent still waits for ${waiting()}`);
  }

  #count(what: string): number {
    this.events++;
    const count = (this.#missed.get(what) ?? 0) + 1;
    this.#missed.set(what, count);
    return count;
  }
}
