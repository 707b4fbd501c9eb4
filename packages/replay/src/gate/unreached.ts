import type { Delivery } from "@reenact/capture/recorder";
import type { Waypoint } from "../tape/journal-tape.ts";

/** A delivery of the recorded run that this run ended without. */
export interface Unreached {
  readonly event: Waypoint;
  /** `owed`: this run asked for it and ended first; `never-asked`: it did not ask for it */
  readonly state: "owed" | "never-asked";
}

/**
 * Deliveries that the recorded run saw and this run did not, in recorded order, but for operations that it never began. Where the journal waits for a native
 * wake-up, an unreferenced delivery behind it does not count: only that native handle kept the recorded process alive.
 *
 * `rest`: waypoints that the gate never came to. `skipped`: those of tool bodies that had ended before. `owed`: what this
 * run has asked for.
 */
export function unreached(
  rest: readonly Waypoint[],
  skipped: ReadonlyMap<string, Waypoint>,
  owed: (event: Waypoint) => Delivery | undefined,
): Unreached[] {
  const list: Unreached[] = [...skipped.values()].flatMap((event) =>
    event.k === "o" ? [] : { event, state: "never-asked" },
  );
  let isNative = false;
  let isHeld = false;
  for (const event of rest) {
    if (event.k === "f") isNative = true;
    if (event.k === "f" || event.k === "s") continue;
    const delivery = owed(event);
    const isOwed = delivery !== undefined && !delivery.dead();
    isHeld ||= isNative && isOwed && !delivery.referenced();
    // the next firing of an interval is only asked for by the firing before it
    if (isHeld && (event.k === "t" || isOwed)) continue;
    if (event.k === "o" && !isOwed) continue;
    list.push({ event, state: isOwed ? "owed" : "never-asked" });
  }
  return list;
}
