import type { Waypoint } from "../tape/journal-tape.ts";

/** The first delivery before the start of a step, among the waypoints from one on; null: none, or the step starts in none of them. */
export function deliveryAhead(
  { waypoints, from }: { readonly waypoints: readonly Waypoint[]; readonly from: number },
  step: number,
  dropped: ReadonlySet<number>,
  isNotBegun: (e: Waypoint) => boolean,
): Waypoint | null {
  let [ahead, other, hasFewer]: [Waypoint | null, Waypoint | null, boolean] = [null, null, false];
  for (let i = from; i < waypoints.length; i++) {
    const e = waypoints[i];
    if (e === undefined) break;
    if (e.k === "s" && e.id === step) return hasFewer ? other : ahead;
    if (e.k === "s" || e.k === "f" || dropped.has(e.scope)) continue;
    [ahead, other] = [ahead ?? e, e.k === "o" ? other : (other ?? e)];
    hasFewer ||= isNotBegun(e);
  }
  return null;
}
