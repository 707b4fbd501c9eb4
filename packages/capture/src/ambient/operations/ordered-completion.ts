import type { RunFrame } from "../../run/context.ts";
import type { Delivery } from "../../source/gate.ts";

/**
 * Numbers a real operation now; the answer offers its completion to the gate. `referenced` false: a replay that has come to its
 * recorded end does not wait for it.
 */
export function orderedCompletion(frame: RunFrame, referenced = true): (fire: () => void) => void {
  const run = frame.run;
  const { gate } = run.source;
  gate.touch();
  const id = run.source.next("o", frame.scope);
  return (fire) => {
    if (run.over) return fire();
    const delivery: Delivery = {
      kind: "o",
      id,
      part: 0,
      scope: frame.scope,
      dead: () => false,
      referenced: () => referenced,
      fire,
    };
    // the turn of the real completion is not the agent's: the next one of the run is
    gate.touch();
    gate.offer(delivery);
  };
}
