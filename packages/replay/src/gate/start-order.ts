import type { Waypoint } from "../tape/journal-tape.ts";

/** Walks over the starts of a journal in recorded order; a start that is left out is reported once and no longer expected. */
export class StartOrder {
  readonly #order: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #reached = new Set<number>();
  #at = 0;

  constructor(waypoints: readonly Waypoint[]) {
    for (const e of waypoints) {
      if (e.k !== "s") continue;
      this.#places.set(e.id, this.#order.length);
      this.#order.push(e.id);
    }
  }

  /** The step that is expected to start next; null at the end. */
  get next(): number | null {
    this.#skip();
    return this.#order[this.#at] ?? null;
  }

  /** Returns the steps that were recorded before this one and have neither started nor been left out so far. */
  reached(step: number): number[] {
    this.#reached.add(step);
    this.#skip();
    const place = this.#places.get(step);
    if (place === undefined || place < this.#at) return [];
    const left = this.#order.slice(this.#at, place).filter((id) => !this.#reached.has(id));
    this.#at = place + 1;
    return left;
  }

  #skip(): void {
    for (let id = this.#order[this.#at]; id !== undefined && this.#reached.has(id); id = this.#order[++this.#at]);
  }
}
