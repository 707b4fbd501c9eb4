import { guarded } from "../fault/faults.ts";
import { isToolchain } from "../leaks/program-loading.ts";
import { here, type RunContext } from "../run/context.ts";

/** Settles when the caller gets what a call came to. Asked once, when that is there. */
export type ResultDelivery = () => Promise<void>;

/**
 * Numbers a call that is a run of its own, in the run that makes it: what the call comes to is a delivery of that run, in a turn of its
 * own, and a replay makes it at its place among the others. Null: the caller is in no run whose order is recorded, or in the called one.
 */
export function resultDelivery(called: RunContext): ResultDelivery | null {
  const frame = here();
  if (frame === null || frame.run === called || isToolchain()) return null;
  const { run, scope } = frame;
  return guarded("agent", null, () => {
    run.source.gate.touch();
    const id = run.source.next("a", scope);
    return () =>
      new Promise<void>((resolve) => {
        const isOffered = guarded("agent", false, () => {
          if (run.over) return false;
          const { gate } = run.source;
          // the turn in which the call has ended is that of the called run
          gate.touch();
          gate.offer({
            kind: "a",
            id,
            part: 0,
            scope,
            turn: called.source.gate.turn,
            dead: () => false,
            referenced: () => true,
            fire: () => resolve(),
          });
          return true;
        });
        if (!isOffered) resolve();
      });
  });
}
