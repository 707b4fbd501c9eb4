import type { RunFrame } from "../../run/context.ts";
import type { Delivery } from "../../source/gate.ts";

/**
 * Numbers a real operation now; the answer offers its completion to the gate. `referenced` false: a replay that has come to its
 * recorded end does not wait for it.
 */
export function orderedCompletion(frame: RunFrame, referenced = true): (fire: () => void) => void {
  const run = frame.run;
  const operation = ownOperation(frame, referenced);
  return (fire) => {
    if (run.over) return fire();
    // the turn of the real completion is not the agent's: the next one of the run is
    const { gate } = run.source;
    gate.touch();
    gate.offer(operation(fire));
  };
}

/** Numbers an operation now; the answer makes its delivery. */
export function ownOperation({ run, scope }: RunFrame, referenced: boolean): (fire: () => void) => Delivery {
  run.source.gate.touch();
  const id = run.source.next("o", scope);
  return (fire) => ({ kind: "o", id, part: 0, scope, dead: () => false, referenced: () => referenced, fire });
}
