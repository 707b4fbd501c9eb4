import type { Delivery } from "@reenact/capture/recorder";
import { keyOf, type Waypoint } from "../tape/journal-tape.ts";

/** Completed operations, such as the reading of a file, that do not wait for a place in the recorded order. */
export class OtherOperations {
  readonly #come = new Set<string>();
  #next: Delivery | null = null;
  count = 0;

  /** Takes out the first operation that is owed and is not what the record expects; false: there is none. */
  take(ready: Map<string, Delivery>, head: Waypoint | undefined): boolean {
    const expected = head === undefined ? "" : keyOf(head);
    for (const [key, delivery] of ready) {
      if (delivery.kind !== "o" || delivery.dead() || !delivery.referenced() || key === expected) continue;
      ready.delete(key);
      this.#come.add(key);
      this.#next = delivery;
      this.count++;
      return true;
    }
    return false;
  }

  /** What was taken out, once. */
  next(): Delivery | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  /** This recorded completion has come before its place. */
  hasCome(event: Waypoint): boolean {
    return this.#come.has(keyOf(event));
  }
}
