import { constants } from "node:os";
import { live } from "../run/context.ts";

export type WriteDone = (error?: Error | null) => void;

/** The writes to one descriptor of a child, one at a time, and what the program hears of them. */
export class ChildWrites {
  #count = 0;
  #done: WriteDone | null = null;
  #isCancelled = false;

  /** A write begins. Returns its number, from 0. */
  begin(done: WriteDone): number {
    this.#done = done;
    return this.#count++;
  }

  /** Number of the write that is under way; null: none is. */
  get current(): number | null {
    return this.#done === null ? null : this.#count - 1;
  }

  /** The write under way has been taken, or has failed. */
  settle(error: Error | null): void {
    const done = this.#done;
    this.#done = null;
    done?.(error ?? (this.#isCancelled ? writeError("ECANCELED") : null));
  }

  /** The program has destroyed its end: a write under way is not taken any more. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** Before its end is closed. */
  close(): void {
    if (this.#done !== null) this.settle(null);
  }
}

/** As Node makes it for a write to a pipe. */
export function writeError(code: "ECANCELED" | "EPIPE"): Error {
  const error = live(() => new Error(`write ${code}`));
  return Object.assign(error, { errno: -constants.errno[code], code, syscall: "write" });
}
