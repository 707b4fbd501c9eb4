import { fault } from "./guard.ts";
import { NewText } from "./new-text.ts";
import { originals } from "./originals.ts";
import type { Step } from "./step.ts";

/** New text up to this many bytes is finished in the turn of the settle, before the agent can start another step. */
export const IN_TURN_BYTES = 64 * 1024;

/** Finishes steps off the agent's path: small ones at once, large ones in a later turn of their own. */
export class FinishQueue {
  readonly #finish: (step: Step) => boolean;
  readonly #inTurnBytes: number;
  readonly #newText = new NewText();
  readonly #later = new Set<Step>();
  #armed = false;

  /** `finish` returns whether what it has written also says that the step has settled */
  constructor(finish: (step: Step) => boolean, inTurnBytes = IN_TURN_BYTES) {
    this.#finish = finish;
    this.#inTurnBytes = inTurnBytes;
  }

  /**
   * `tell` writes that the agent has the step's value, where its span does not say so itself: at once where the span
   * comes later, else behind it, since a process that is killed before that has never handed the value over.
   */
  add(step: Step, tell: () => void = () => {}): void {
    if (this.#later.has(step)) return;
    if (this.#newText.of(step) <= this.#inTurnBytes) {
      if (!this.#now(step)) tell();
    } else {
      tell();
      this.#later.add(step);
      this.#arm();
    }
  }

  flush(): void {
    for (const step of this.#later) this.#now(step);
    this.#later.clear();
  }

  #now(step: Step): boolean {
    try {
      return this.#finish(step);
    } catch (error) {
      fault("finish", error);
      return false;
    }
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    originals
      .setTimeout(() => {
        this.#armed = false;
        const [step] = this.#later;
        if (step === undefined) return;
        this.#later.delete(step);
        this.#now(step);
        if (this.#later.size > 0) this.#arm();
      }, 0)
      .unref();
  }
}
