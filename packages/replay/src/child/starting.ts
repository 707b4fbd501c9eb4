import { originals } from "@reenact/capture/recorder";

/** A program that takes less than this share of a processor waits for something. */
const BUSY = 0.05;
const IDLE_MS = 5000;
/** However busy it is. */
const MOST_MS = 120_000;

/** Tells a program that is still starting from one that has started and waits. */
export class Starting {
  readonly #began = originals.performanceNow();
  #last = this.#began;
  #cpu = process.cpuUsage();
  #idleSince = this.#began;

  /** Whether it has waited for some seconds. To be called several times a second. */
  isIdle(): boolean {
    const now = originals.performanceNow();
    const used = process.cpuUsage(this.#cpu);
    const share = (used.user + used.system) / 1000 / Math.max(1, now - this.#last);
    this.#cpu = process.cpuUsage();
    this.#last = now;
    if (share > BUSY) this.#idleSince = now;
    return now - this.#idleSince > IDLE_MS || now - this.#began > MOST_MS;
  }
}
