import type { Delivery, Gate } from "./gate.ts";
import type { Source } from "./source.ts";
import type { Answer } from "./answer.ts";

/** Hands everything on at once: for spans beside a set-up that is not ours, where no order is kept. */
export class PassSource implements Source {
  readonly gate: Gate = {
    turn: "tick",
    delivered: 0,
    isEvent: () => false,
    touch() {},
    offer: pass,
    enter: pass,
    nativeWakeup() {},
    close() {},
  };
  readonly virtualTimers = false;

  begin(): Answer {
    return { from: "live" };
  }

  late(): void {}

  draw<T>(_kind: string, _scope: number, real: () => T): T {
    return real();
  }

  delay(): void {}

  next(): number {
    return 0;
  }

  ran(): void {}
}

function pass(delivery: Delivery): void {
  if (!delivery.dead()) delivery.fire();
}
