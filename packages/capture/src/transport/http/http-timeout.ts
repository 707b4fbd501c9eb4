import { sawTime, virtualNow } from "../../ambient/clock/virtual-now.ts";
import type { Delivery } from "../../source/gate.ts";
import type { OpenStep } from "../../span/open-step.ts";

/**
 * The time-out of one connection: a timer of the run, never referenced, with a new number each time it is armed.
 * Recording, the socket's own idle timer rings it; in a replay it is owed from the start.
 */
export class SocketTimeout {
  readonly #step: OpenStep;
  readonly #expire: () => void;
  readonly #start: () => void;
  #number: number | null = null;
  #due = 0;

  /** `start`: makes the idle timer of a socket run that a replay has left to its record */
  constructor(step: OpenStep, expire: () => void, start: () => void) {
    this.#step = step;
    this.#expire = expire;
    this.#start = start;
  }

  /** `ms` 0 or undefined: none any more. */
  arm(ms: number | undefined): void {
    this.#number = null;
    if (!ms) return;
    const { run, frame } = this.#step;
    this.#number = run.source.next("t", frame.scope);
    this.#due = virtualNow(run) + ms;
    if (!run.over) run.source.delay(Math.trunc(ms), frame.scope, "a connection's time-out", this.#step);
    if (run.source.virtualTimers && !run.over) run.source.gate.offer(this.#delivery(this.#number));
  }

  /** The real idle timer has fired. */
  rang(): void {
    if (this.#number === null) return;
    const { run } = this.#step;
    const delivery = this.#delivery(this.#number);
    if (run.over) delivery.fire();
    else run.source.gate.enter(delivery);
  }

  #delivery(number: number): Delivery {
    const { run, frame } = this.#step;
    return {
      kind: "t",
      id: number,
      part: 0,
      scope: frame.scope,
      due: this.#due,
      goReal: () => this.#start(),
      dead: () => this.#number !== number,
      referenced: () => false,
      fire: () => {
        this.#number = null;
        if (run.source.virtualTimers) sawTime(run, this.#due);
        this.#expire();
      },
    };
  }
}
