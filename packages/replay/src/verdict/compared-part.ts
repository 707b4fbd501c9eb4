/**
 * Divergences that no part of a run is excused from: a call without a record has no answer, and what ended or stopped the program
 * decides all that comes behind it.
 */
const ALWAYS: ReadonlySet<string> = new Set([
  "extra",
  "exhausted",
  "wrong-tool",
  "edited",
  "error",
  "leak",
  "killed",
  "no-progress",
  "no-substance",
  "not-loaded",
  "timeout",
]);

/** The part of a run that `--from` compares: the steps from one on, and all that the run leaves behind. */
export class ComparedPart {
  /** number of its first step, from 0 */
  readonly from: number;
  #isReached: boolean;
  #differences = 0;
  #first: string | null = null;

  constructor(from: number) {
    this.from = from;
    this.#isReached = from === 0;
  }

  met(index: number): void {
    if (index >= this.from) this.#isReached = true;
  }

  /**
   * Whether a difference comes before this part. `step`: its step, from 1; null: none, and it came before this part where no step of
   * it has been met.
   */
  passesOver(step: number | null, verdict: string, cause: () => string): boolean {
    if (ALWAYS.has(verdict) || (step === null ? this.#isReached : step > this.from)) return false;
    this.#differences++;
    this.#first ??= step === null ? cause() : `step ${step}: ${cause()}`;
    return true;
  }

  /** A difference was passed over. */
  get hasPassedOver(): boolean {
    return this.#differences > 0;
  }

  /** What was not compared, for people; empty where everything was. */
  get notes(): string[] {
    const { from } = this;
    if (from === 0) return [];
    const steps = from === 1 ? "step 1 was" : `steps 1 to ${from} were`;
    const count =
      this.#differences === 1 ? "1 difference there counts" : `${this.#differences} differences there count`;
    const differs =
      this.#first === null ? "nothing differs there" : `${count} for nothing, the first one: ${this.#first}`;
    return [`${steps} served and not compared (--from ${from + 1}): ${differs}`];
  }
}
