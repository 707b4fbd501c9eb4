import { AsyncLocalStorage } from "node:async_hooks";
import type { RunFrame } from "../run/context.ts";
import type { Delivery } from "../source/gate.ts";
import { wakeLabel } from "./operations/wake-label.ts";

export interface ExternalEventOptions {
  /** whether it keeps the event loop alive */
  referenced(): boolean;
  /** In a replay: emits one recorded event. `detail` is what was recorded with it. */
  replayed(detail: string): void;
}

/** A source of events from outside the program: a signal, a change of a watched file. */
export interface ExternalEvents {
  /** A real event. `hand` emits it to the agent, in a turn of its own; `detail` is what a replay needs to emit it again. */
  came(detail: string, hand: () => void): void;
  /** In a replay: whether the record holds another one. */
  readonly isAhead: boolean;
  /** The agent no longer listens. */
  close(): void;
}

/** The agent begins to listen. A replay ignores real events and emits the recorded ones in their recorded order. */
export function openExternalEvents(
  frame: RunFrame,
  type: string,
  { referenced, replayed }: ExternalEventOptions,
): ExternalEvents {
  const run = frame.run;
  const inContext = AsyncLocalStorage.snapshot();
  const label = wakeLabel(frame, type);
  let closed = false;
  const delivery = (detail: string, fire: Delivery["fire"]): Delivery => {
    const whole = detail === "" ? label : `${label} ${detail}`;
    const facts = { kind: "f", id: 0, part: 0, scope: frame.scope } as const;
    return { ...facts, label: whole, dead: () => closed, referenced, fire };
  };
  const offer = (detail: string, fire: Delivery["fire"]): void => run.source.gate.offer(delivery(detail, fire));
  const listen = (): void =>
    offer("", (detail = "") => {
      listen();
      inContext(() => replayed(detail));
    });
  run.source.gate.touch();
  if (run.source.virtualTimers) listen();
  return {
    get isAhead() {
      return (
        run.source.virtualTimers &&
        run.source.gate.isEvent(
          delivery("", () => {}),
          false,
        )
      );
    },
    came(detail, hand) {
      if (run.source.virtualTimers) return;
      if (run.over) return inContext(hand);
      // the event arrived in a turn of the event loop that is not the agent's: deliver it in the run's next one
      run.source.gate.touch();
      offer(detail, () => inContext(hand));
    },
    close() {
      closed = true;
    },
  };
}
