import { AsyncLocalStorage } from "node:async_hooks";
import type { RunFrame } from "../run/context.ts";
import type { Delivery } from "../source/gate.ts";
import { wakeLabel } from "./operations/wake-label.ts";

export interface ArrivalOptions {
  /** whether it keeps the event loop alive */
  referenced(): boolean;
  /** In a replay: hands over what was recorded with one arrival. */
  taped(said: string): void;
}

/** Something that comes to the agent by itself, any number of times: a signal, a change of a watched file. */
export interface ExternalEvents {
  /** It came, for real. `hand` gives it to the agent, in a turn of its own; `said` is what a replay needs to know of it. */
  came(said: string, hand: () => void): void;
  /** The agent listens no more. */
  close(): void;
}

/** The agent begins to listen. In a replay the outside is not heard: what was recorded comes at its place. */
export function openExternalEvents(
  frame: RunFrame,
  type: string,
  { referenced, taped }: ArrivalOptions,
): ExternalEvents {
  const run = frame.run;
  const { gate } = run.source;
  const inContext = AsyncLocalStorage.snapshot();
  const label = wakeLabel(frame, type);
  let closed = false;
  const offer = (said: string, fire: Delivery["fire"]): void => {
    const whole = said === "" ? label : `${label} ${said}`;
    const facts = { kind: "f", id: 0, part: 0, scope: frame.scope } as const;
    gate.offer({ ...facts, label: whole, dead: () => closed, referenced, fire });
  };
  const listen = (): void =>
    offer("", (said = "") => {
      listen();
      inContext(() => taped(said));
    });
  gate.touch();
  if (run.source.virtualTimers) listen();
  return {
    came(said, hand) {
      if (run.source.virtualTimers) return;
      if (run.over) return inContext(hand);
      // the turn in which it came is not the agent's: the next one of the run is
      gate.touch();
      offer(said, () => inContext(hand));
    },
    close() {
      closed = true;
    },
  };
}
