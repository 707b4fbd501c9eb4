import { fromCaller } from "../guard/caller-stack.ts";
import { nameOfSlot } from "../tape/slot-name.ts";

/** What the agent gets for a call that the record does not hold. The replay has failed even if the agent swallows it. */
export class ReplayMiss extends Error {
  override readonly name = "ReplayMiss";
  readonly code = "REEN-MISS";

  constructor(slot: string, why: string) {
    super(`not in the record: ${nameOfSlot(slot)} (${why})`);
  }
}

/** A miss that points at the agent's own call. */
export function replayMiss(slot: string, why: string): ReplayMiss {
  return fromCaller(() => new ReplayMiss(slot, why));
}
