import { AsyncResource } from "node:async_hooks";
import { here, type RunFrame } from "../../run/context.ts";
import { ownOperation } from "./ordered-completion.ts";

/** Runs `fire`, now or at its place in the order of the run. Returns what it returns; put off, undefined, and `later` is told. */
type TakeTurn = (fire: () => unknown, later: (result: unknown) => void) => unknown;

/**
 * Numbers an operation that may come in the very turn that asks for it, as a free connection of a pool does. It is an event of
 * the run's only where it comes later: behind a delivery of the run, or in code of another run.
 */
export function orderedTurn(frame: RunFrame): TakeTurn {
  const { run } = frame;
  const { gate } = run.source;
  const operation = ownOperation(frame, true);
  const { delivered } = gate;
  return (fire, later) => {
    if (run.over) return fire();
    const isAtOnce = here()?.run === run && run.source.gate === gate && gate.delivered === delivered;
    if (
      !run.source.gate.isEvent(
        operation(() => {}),
        isAtOnce,
      )
    )
      return fire();
    const fireHere = AsyncResource.bind(fire);
    run.source.gate.touch();
    run.source.gate.offer(operation(() => later(fireHere())));
    return undefined;
  };
}
