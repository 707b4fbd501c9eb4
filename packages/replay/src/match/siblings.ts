import type { Step } from "@reenact/capture/recorder";
import type { Ledger } from "../verdict/ledger.ts";
import type { RecordedStep } from "../tape/tape.ts";
import type { Asked } from "./asked.ts";
import { contentKeys, sameContent } from "./content-keys.ts";

/** The recorded steps of one place, found by number or by content in constant time. */
export class Siblings {
  readonly #ledger: Pick<Ledger, "met">;
  readonly #byNumber = new Map<string, RecordedStep>();
  /** in order of their start; what is met is dropped from the front */
  readonly #byContent = new Map<string, { steps: RecordedStep[]; from: number }>();

  constructor(steps: readonly RecordedStep[], ledger: Pick<Ledger, "met">) {
    this.#ledger = ledger;
    for (const step of steps) {
      const { n, attempt } = step.record;
      this.#byNumber.set(`${n} ${attempt}`, step);
      for (const key of contentKeys(step)) {
        const queue = this.#byContent.get(`${attempt} ${key}`);
        if (queue === undefined) this.#byContent.set(`${attempt} ${key}`, { steps: [step], from: 0 });
        else queue.steps.push(step);
      }
    }
  }

  /**
   * The recorded step that a call is served from. The slot is the key and content the check; an equal request goes
   * before the occurrence number, so that one dropped call does not shift all others.
   */
  find(step: Pick<Step, "n" | "attempt">, asked: Asked | null): RecordedStep | null {
    const { attempt } = step;
    const own = this.numbered(step);
    if (asked === null || (own !== null && sameContent(asked, own))) return own;
    let best: RecordedStep | null = null;
    for (const key of contentKeys(asked)) {
      const found = this.#first(`${attempt} ${key}`);
      if (found !== null && (best === null || found.index < best.index)) best = found;
    }
    return best ?? own;
  }

  /** The recorded step of this slot and attempt, if it is not met yet. */
  numbered({ n, attempt }: Pick<Step, "n" | "attempt">): RecordedStep | null {
    const step = this.#byNumber.get(`${n} ${attempt}`) ?? null;
    return step !== null && this.#ledger.met(step.index) ? null : step;
  }

  #first(key: string): RecordedStep | null {
    const queue = this.#byContent.get(key);
    if (queue === undefined) return null;
    for (let step = queue.steps[queue.from]; step !== undefined; step = queue.steps[++queue.from]) {
      if (!this.#ledger.met(step.index)) return step;
    }
    return null;
  }
}
