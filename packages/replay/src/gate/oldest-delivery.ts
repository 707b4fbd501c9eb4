import { type Delivery, live, originals } from "@reenact/capture/recorder";

/**
 * Removes and returns the delivery that is due first, except events from outside; removes cancelled ones. "none": there is
 * none. With `alive` false one is taken only if some delivery keeps the event loop alive; otherwise "parked".
 */
export function takeOldest<K>(all: Map<K, Delivery>, alive: boolean): Delivery | "none" | "parked" {
  let oldest: [K, Delivery] | undefined;
  let holds = alive;
  for (const entry of all) {
    const [key, delivery] = entry;
    if (delivery.dead()) all.delete(key);
    if (delivery.dead() || delivery.kind === "f") continue;
    // without an order, complete an operation that may be left open at the end: the agent may wait for it
    holds ||= delivery.referenced() || delivery.kind === "o";
    if (oldest === undefined || (delivery.due ?? 0) < (oldest[1].due ?? 0)) oldest = entry;
  }
  if (oldest === undefined) return "none";
  if (!holds) return "parked";
  all.delete(oldest[0]);
  return oldest[1];
}

/** Returns a function that calls `go` a millisecond later, if something else keeps the event loop alive until then. */
export function whileAlive(go: () => void): () => void {
  let isSet = false;
  return () => {
    if (isSet) return;
    isSet = true;
    const then = (): void => {
      isSet = false;
      go();
    };
    live(() => originals.setTimeout(then, 1)).unref();
  };
}

/** Delivers to code that still runs after its run has ended. Events from outside (kind `f`) do not come in a replay. */
export function deliverLate(delivery: Delivery): void {
  if (delivery.kind === "f") return;
  const late = live(() => originals.setTimeout(() => void (delivery.dead() || delivery.fire()), 1));
  if (!delivery.referenced()) late.unref();
}

/** What a program need not wait for: it would have come, and with it what the program does then. */
export function comesAtOnce(delivery: Delivery | undefined): boolean {
  return delivery?.kind === "a" || delivery?.atOnce === true;
}
