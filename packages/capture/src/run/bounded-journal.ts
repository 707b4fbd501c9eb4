import { type DrawLetter, type JournalEvent, JournalWriter } from "@reenact/envelope";

/** What an event or a value is counted as, besides the length of its text. */
const BYTES_EACH = 16;

export interface JournalBound {
  readonly events: number;
  /** of all events and values, each with 16 bytes and the length of its text */
  readonly bytes: number;
}

/** A journal that stops at a bound: later events are not recorded, and the run is marked. */
export class BoundedJournal extends JournalWriter {
  readonly #onFull: (reached: string) => void;
  #bound: JournalBound;
  #bytes = 0;
  #full = false;
  /** answers and ends of bodies that were delivered outside tool bodies */
  settles = 0;

  constructor(bound: JournalBound, onFull: (reached: string) => void) {
    super();
    this.#bound = bound;
    this.#onFull = onFull;
  }

  override append(event: JournalEvent): number {
    if ((event.k === "h" || event.k === "e") && event.scope === -1) this.settles++;
    return this.#takes(event.k === "f" ? event.label.length : 0) ? super.append(event) : this.position;
  }

  override draw(kind: DrawLetter, scope: number, value: number | string): void {
    if (this.#takes(typeof value === "string" ? value.length : 0)) super.draw(kind, scope, value);
  }

  /** Work that a value or an event may never come of, as of a timer that is cleared. */
  counts(length = 0): boolean {
    return this.#takes(length);
  }

  /** Forgets what no cut has taken yet, and takes no more. */
  drop(): void {
    this.forget();
    this.#bytes = 0;
    this.#full = true;
  }

  /** What comes now is recorded up to this bound, with what is there. */
  raise(bound: JournalBound): void {
    this.#bound = bound;
    this.#full = false;
  }

  #takes(length: number): boolean {
    if (this.#full) return false;
    this.#bytes += BYTES_EACH + length;
    const { events, bytes } = this.#bound;
    if (this.position < events && this.#bytes <= bytes) return true;
    this.#full = true;
    this.#onFull(this.position < events ? `${bytes / 1024 / 1024} MiB of events and values` : `${events} events`);
    return false;
  }
}
