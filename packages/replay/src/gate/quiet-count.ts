/**
 * Counts quarters of a second in which nothing moved and nothing computed. A single busy one between them is not counted and
 * does not begin the count anew: a garbage collection or the recorder's own work would keep a replay alive.
 */
export class QuietCount {
  #busyInTurn = 0;
  quarters = 0;

  add({ isQuiet, sleeps }: { isQuiet: boolean; sleeps: boolean }): void {
    if (isQuiet && sleeps) this.quarters++;
    this.#busyInTurn = sleeps ? 0 : this.#busyInTurn + 1;
    if (!isQuiet || this.#busyInTurn > 1) this.quarters = 0;
  }
}
