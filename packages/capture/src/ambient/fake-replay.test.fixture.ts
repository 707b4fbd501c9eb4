import { type JournalEvent, parseJournal } from "@reenact/envelope";
import type { Delivery, Gate } from "../source/gate.ts";
import { journalDelivery } from "../source/record-gate.ts";
import { originals } from "../patch/originals.ts";
import { recorder } from "../run/recorder.ts";
import type { RunContext } from "../run/context.ts";
import { Run } from "../run/run.ts";
import type { DrawKind, Source } from "../source/source.ts";

const idOf = (e: { k: string; id: number; part?: number; scope: number }): string =>
  `${e.k}${e.id}.${e.part ?? 0}@${e.scope}`;

/** The smallest gate that releases deliveries in the order of a journal, one per turn. */
class TapeGate implements Gate {
  readonly turn = "tick";
  readonly delivered = 0;
  readonly owed = new Map<string, Delivery>();
  readonly expected: JournalEvent[];
  #armed = false;
  #run: RunContext;

  constructor(run: RunContext, events: JournalEvent[]) {
    this.#run = run;
    this.expected = events.filter((e) => e.k !== "v" && e.k !== "s");
  }

  isEvent(operation: Delivery): boolean {
    return this.expected.some((e) => e.k === "o" && e.id === operation.id && e.scope === operation.scope);
  }

  touch(): void {
    this.#arm();
  }

  offer(delivery: Delivery): void {
    this.owed.set(idOf({ ...delivery, k: delivery.kind, id: delivery.id }), delivery);
    this.#arm();
  }

  enter(): never {
    throw new Error("no native timer may ring in a replay");
  }

  nativeWakeup(label: string): void {
    const next = this.expected[0];
    if (next?.k === "f" && next.label === label) {
      this.expected.shift();
      this.#run.journal.append(next);
    }
    this.#arm();
  }

  close(): void {}

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    this.#run.enter(() => void originals.setImmediate(this.#pump));
  }

  readonly #pump = (): void => {
    this.#armed = false;
    const next = this.expected[0];
    if (next === undefined || next.k === "f" || next.k === "v") return;
    const delivery = this.owed.get(idOf(next));
    if (delivery === undefined || delivery.dead()) return;
    this.owed.delete(idOf(next));
    this.expected.shift();
    this.#arm();
    journalDelivery(this.#run.journal, delivery);
    delivery.fire();
  };
}

class TapeSource implements Source {
  readonly gate: TapeGate;
  readonly virtualTimers = true;
  readonly #draws = new Map<string, (string | number)[]>();
  readonly #created = new Map<string, number>();
  readonly #run: RunContext;
  missed = 0;

  constructor(run: RunContext, events: JournalEvent[]) {
    this.#run = run;
    this.gate = new TapeGate(run, events);
    for (const e of events)
      if (e.k === "v") this.#draws.set(e.kind + e.scope, [...(this.#draws.get(e.kind + e.scope) ?? []), ...e.values]);
  }

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T): T {
    this.gate.touch();
    const value = this.#draws.get(kind + scope)?.shift() as T | undefined;
    if (value === undefined) this.missed++;
    this.#run.journal.draw(kind, scope, value ?? real());
    return value ?? real();
  }

  delay(ms: number, scope: number): void {
    this.#run.journal.draw("W", scope, ms);
  }

  next(kind: "t" | "o", scope: number): number {
    const n = this.#created.get(kind + scope) ?? 0;
    this.#created.set(kind + scope, n + 1);
    return n;
  }

  begin(): { from: "live" } {
    return { from: "live" };
  }

  late(): void {}

  ran(): void {}
}

export function recordingRun(): Run {
  recorder.sourceFor = null;
  return new Run({ trigger: "function", name: "test", sequence: 0 });
}

/** A run that is served from the journal of another one. */
export function replayingRun(events: string): Run {
  recorder.sourceFor = (run) => new TapeSource(run, parseJournal(events));
  const run = new Run({ trigger: "function", name: "test", sequence: 0 });
  recorder.sourceFor = null;
  return run;
}

export function missedDraws(run: Run): number {
  return (run.source as TapeSource).missed;
}

/** Deliveries that the journal holds and that have not been made. */
export function left(run: Run): JournalEvent[] {
  return (run.source.gate as TapeGate).expected;
}
