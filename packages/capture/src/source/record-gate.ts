import type { JournalWriter } from "@reenact/envelope";
import { originals } from "../patch/originals.ts";
import { isTextWaiting } from "../span/waiting-text.ts";
import { TurnKinds } from "../run/turn-kinds.ts";
import type { Delivery, Gate, TurnKind } from "./gate.ts";

/** How often a gate that hands nothing over looks whether it may again. Ms. */
const LOOK_EVERY = 5;

/** Adds the delivery's event to a journal and returns its position. */
export function journalDelivery(journal: JournalWriter, d: Delivery): number {
  if (d.kind === "f") return journal.append({ k: "f", label: d.label ?? "", scope: d.scope });
  return d.kind === "c"
    ? journal.append({ k: "c", id: d.id, part: d.part, scope: d.scope })
    : journal.append({ k: d.kind, id: d.id, scope: d.scope });
}

/**
 * Recording: what arrives while the turn is in use waits for the next `setImmediate`, first in first out, and is
 * journaled when it is handed over. A turn is in use from any delivery or any call of the agent into the shell.
 * While too much text waits to be redacted nothing is handed over: so memory stays bounded, and nothing is left out.
 */
export class RecordGate implements Gate {
  readonly #journal: JournalWriter;
  readonly #enterRun: (fn: () => void) => void;
  readonly #queue: Delivery[] = [];
  readonly #turns = new TurnKinds();
  #busy = false;
  #armed = false;
  #held = false;
  #closed = false;
  delivered = 0;

  /** `enterRun` runs a function in the run's own context: errors of callbacks and Node's handlers stay in the run. */
  constructor(journal: JournalWriter, enterRun: (fn: () => void) => void) {
    this.#journal = journal;
    this.#enterRun = enterRun;
    this.#busy = true;
    this.#arm();
  }

  get turn(): TurnKind {
    return this.#turns.kind;
  }

  isEvent(_operation: Delivery, isAtOnce: boolean): boolean {
    return !isAtOnce;
  }

  touch(): void {
    this.#busy = true;
    this.#arm();
  }

  offer(delivery: Delivery): void {
    if (!this.#busy && this.#queue.length === 0 && !this.#mustWait()) {
      if (!delivery.dead()) this.#fire(delivery);
      return;
    }
    this.#queue.push(delivery);
    this.#arm();
  }

  enter(delivery: Delivery): void {
    this.#queue.push(delivery);
    this.#busy = false;
    this.#next();
    if (this.#queue.length > 0) this.#arm();
  }

  nativeWakeup(label: string, scope: number): void {
    if (this.#closed) return;
    this.delivered++;
    this.#journal.append({ k: "f", label, scope });
    this.#turns.nativeWakeup(scope);
    this.touch();
  }

  /** The run is over. Pending values are still delivered, each in a turn of its own, and no longer journaled. */
  close(): void {
    this.#closed = true;
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    this.#enterRun(() => void originals.setImmediate(this.#pump));
  }

  readonly #pump = (): void => {
    this.#armed = false;
    this.#busy = false;
    this.#next();
  };

  #next(): void {
    if (this.#queue.length > 0 && this.#mustWait()) return this.#hold();
    for (let d = this.#queue.shift(); d !== undefined; d = this.#queue.shift()) {
      if (d.dead()) continue;
      this.#fire(d);
      return;
    }
  }

  #mustWait(): boolean {
    return !this.#closed && isTextWaiting();
  }

  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    this.#enterRun(() =>
      originals.setTimeout(() => {
        this.#held = false;
        this.#pump();
      }, LOOK_EVERY),
    );
  }

  #fire(delivery: Delivery): void {
    this.#busy = true;
    this.delivered++;
    this.#arm();
    if (!this.#closed) journalDelivery(this.#journal, delivery);
    this.#turns.delivered(delivery);
    delivery.fire();
  }
}
