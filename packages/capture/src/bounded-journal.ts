import { type JournalEvent, JournalWriter } from "@reenact/envelope";

/** A journal that stops at a cap: what comes after is not recorded, and the run says so. */
export class BoundedJournal extends JournalWriter {
  readonly #cap: number;
  readonly #onFull: () => void;
  #full = false;

  constructor(cap: number, onFull: () => void) {
    super();
    this.#cap = cap;
    this.#onFull = onFull;
  }

  override append(event: JournalEvent): number {
    return this.#isFull() ? this.position : super.append(event);
  }

  override draw(...draw: Parameters<JournalWriter["draw"]>): void {
    if (!this.#isFull()) super.draw(...draw);
  }

  #isFull(): boolean {
    if (this.#full) return true;
    if (this.position < this.#cap) return false;
    this.#full = true;
    this.#onFull();
    return true;
  }
}
