import type { RunFrame } from "../../run/context.ts";
import { orderedCompletion } from "../operations/ordered-completion.ts";

/**
 * Repeated events from another thread: each arrival is an ordered operation, which begins when the one before
 * has been handed over. The answer takes what hands an arrival to the agent.
 */
export function comingByTurns(frame: RunFrame): (hand: () => void) => void {
  const waiting: (() => void)[] = [];
  let next = orderedCompletion(frame);
  let offered = false;
  const offer = (): void => {
    if (offered || waiting.length === 0) return;
    offered = true;
    next(() => {
      const hand = waiting.shift() as () => void;
      next = orderedCompletion(frame);
      offered = false;
      try {
        hand();
      } finally {
        offer();
      }
    });
  };
  return (hand) => {
    waiting.push(hand);
    offer();
  };
}
