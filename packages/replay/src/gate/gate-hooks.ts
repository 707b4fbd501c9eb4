import type { Waypoint } from "../tape/journal-tape.ts";

export interface GateReport {
  /** what order expected and did not get, in words */
  readonly why: string;
  /** the event that the journal holds next; null at its end */
  readonly expected: Waypoint | null;
  /** keys of what the agent waits for */
  readonly waiting: string[];
}

export interface GateHooks {
  /** the recorded process ended since it had nothing more to do, whatever it still waited for */
  readonly drained: boolean;
  /**
   * It has given its answer, and is ended once it has been quiet for a while, whatever it still waits for: an idle connection, a
   * timer. Where its record is over, waiting is then no divergence: the recorded run ended in the same way.
   */
  readonly endsByItself: boolean;
  /** runs our pump in the context of the run */
  enterRun(fn: () => void): void;
  diverged(report: GateReport): void;
  /** the journal of a killed process is over and the agent waits: nothing more can be said */
  exhausted(): void;
  /** whether an incomplete record goes no further: it has no next event, or does not hold the value that came with it */
  isCutOff(next: Waypoint | undefined): boolean;
  /** a delivery that the record does not hold, by its key, after order was lost */
  unrecorded(key: string): void;
  /** how many real operations the code of this scope has begun */
  begun(scope: number): number;
  /** number of the timer of this run that stands for a recorded one; null: none does */
  timerOf(scope: number, recorded: number): number | null;
  /** before a delivery: false stops the replay here */
  mayDeliver(event: Waypoint): boolean;
}
