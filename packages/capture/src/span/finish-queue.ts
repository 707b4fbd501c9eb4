import { live } from "../run/context.ts";
import { fault } from "../fault/faults.ts";
import { NewText } from "./new-text.ts";
import { originals } from "../patch/originals.ts";
import type { Step } from "./step.ts";
import { addWaiting, isRoomUsedUp, removeWaiting } from "./waiting-text.ts";

/** New text up to this many bytes is finished in the turn of the settle, before the agent can start another step. */
export const IN_TURN_BYTES = 64 * 1024;

export interface FinishParts {
  /** writes the step; returns whether what it has written also says that the step has settled */
  finish(step: Step): boolean;
  /** has long texts scanned off this thread; null: nothing to wait for */
  prepare?(step: Step): Promise<void> | null;
  inTurnBytes?: number;
  /** its texts were read before: however long it is, there is only to write it */
  isRead?(step: Step): boolean;
  /** a step has to be prepared, however little of it is new */
  isSlow?(step: Step): boolean;
}

/** Finishes steps off the agent's path: small ones at once, large ones in a later turn of their own. */
export class FinishQueue {
  readonly #parts: FinishParts;
  readonly #inTurnBytes: number;
  readonly #newText = new NewText();
  /** in the order of their settles; `ready`: not waiting for another thread */
  readonly #later = new Map<Step, { ready: boolean }>();
  #armed = false;
  #emptied: (() => void) | null = null;

  constructor(parts: FinishParts) {
    this.#parts = parts;
    this.#inTurnBytes = parts.inTurnBytes ?? IN_TURN_BYTES;
  }

  /**
   * `tell` writes that the agent has the step's value, where its span does not say so itself: at once where the span
   * comes later, else behind it, since a process that is killed before that has never handed the value over.
   */
  add(step: Step, tell: () => void = () => {}): void {
    if (this.#later.has(step)) return;
    const size = this.#newText.of(step);
    const isSmall = size <= this.#inTurnBytes && this.#parts.isSlow?.(step) !== true;
    if (isSmall || this.#parts.isRead?.(step) === true || isRoomUsedUp(size)) {
      if (!this.#now(step)) tell();
      return;
    }
    tell();
    const state = { ready: false };
    this.#later.set(step, state);
    addWaiting(step, size);
    live(() => this.#handOver(step, state));
  }

  #handOver(step: Step, state: { ready: boolean }): void {
    const ready = (): void => this.#isReady(state);
    const wait = this.#prepared(step);
    if (wait === null) ready();
    else void wait.then(ready, ready);
  }

  flush(): void {
    for (const step of this.#later.keys()) this.#now(step);
    this.#later.clear();
    this.#empty();
  }

  /** Whether a step waits for another thread. */
  get isWaiting(): boolean {
    for (const { ready } of this.#later.values()) if (!ready) return true;
    return false;
  }

  /** Calls back, once, when nothing is left to finish. */
  whenEmpty(done: () => void): void {
    this.#emptied = done;
    this.#empty();
  }

  #empty(): void {
    const done = this.#emptied;
    if (this.#later.size > 0 || done === null) return;
    this.#emptied = null;
    done();
  }

  #prepared(step: Step): Promise<void> | null {
    try {
      return this.#parts.prepare?.(step) ?? null;
    } catch (error) {
      fault("finish", error);
      return null;
    }
  }

  #isReady(state: { ready: boolean }): void {
    state.ready = true;
    this.#arm();
  }

  #now(step: Step): boolean {
    removeWaiting(step);
    try {
      return this.#parts.finish(step);
    } catch (error) {
      fault("finish", error);
      return false;
    }
  }

  #next(): Step | undefined {
    for (const [step, { ready }] of this.#later) if (ready) return step;
    return undefined;
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    originals
      .setTimeout(() => {
        this.#armed = false;
        const step = this.#next();
        if (step === undefined) return;
        this.#later.delete(step);
        this.#now(step);
        if (this.#next() !== undefined) this.#arm();
        this.#empty();
      }, 0)
      .unref();
  }
}
