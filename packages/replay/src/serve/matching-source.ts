import {
  type Address,
  type Answer,
  type Content,
  type Delivery,
  type DrawKind,
  type Gate,
  live,
  type NumberedKind,
  originals,
  type RunContext,
  type Source,
  type Step,
  TurnKinds,
  type TurnKind,
} from "@reenact/capture/recorder";
import { drewClock, fallbackDraw } from "./fallback-draw.ts";
import { ReplayGate } from "../gate/replay-gate.ts";
import { JournalTape, keyOf, keyOfDelivery } from "../tape/journal-tape.ts";
import type { Tape } from "../tape/tape.ts";

/** How long a delivery that no record has before its first step may wait, until the likeliest record is taken. */
const DECISION_MS = 1000;

type Decide = (step: Step | null, content: Content | null) => Source;

/**
 * The source of a run that several records fit: the handler of a server is called with objects that no record holds, and
 * the first request of the run decides which one it is. Until then draws, timers and operations come as one of these
 * records has them; all of them are then repeated to the chosen record.
 */
export class MatchingSource implements Source {
  readonly gate: Gate;
  readonly #run: RunContext;
  readonly #runId: string;
  readonly #tape: JournalTape;
  readonly #decide: Decide;
  readonly #heard: ((source: Source) => void)[] = [];
  readonly #offered = new Map<string, Delivery>();
  readonly #created = new Map<string, number>();
  #source: Source | null = null;
  #at = 0;
  #interval = 0;
  #armed = false;
  /** turns before the record was known */
  readonly #turns = new TurnKinds();
  #waitBudget: NodeJS.Timeout | null = null;

  constructor(run: RunContext, like: Tape, decide: Decide) {
    this.#run = run;
    this.#runId = like.runId;
    const firstOfStep = like.journal.findIndex(({ k }) => k === "h" || k === "c" || k === "e");
    this.#tape = new JournalTape(firstOfStep === -1 ? like.journal : like.journal.slice(0, firstOfStep), new Set());
    this.#decide = decide;
    const offer = (delivery: Delivery): void => {
      if (this.#source !== null) return this.#source.gate.offer(delivery);
      this.#offered.set(keyOfDelivery(delivery), delivery);
      this.#arm();
    };
    const turn = (): TurnKind => this.#source?.gate.turn ?? this.#turns.kind;
    this.gate = {
      get turn() {
        return turn();
      },
      delivered: 0,
      isEvent: (operation) => this.#source?.gate.isEvent(operation, false) ?? this.#tape.placeOf(operation, 0) !== -1,
      mayEnd: () => this.#source?.gate.mayEnd?.() ?? true,
      touch: () => this.#source?.gate.touch(),
      offer,
      enter: (delivery) => (this.#source === null ? offer(delivery) : this.#source.gate.enter(delivery)),
      nativeWakeup: (label, scope) => this.#hear((source) => source.gate.nativeWakeup(label, scope)),
      close: () => this.#decided(null, null).gate.close(),
    };
  }

  get virtualTimers(): boolean {
    return this.#source?.virtualTimers ?? true;
  }

  begin(step: Step, content: Content | null, address?: Address): Answer {
    return this.#decided(step, content).begin(step, content, address);
  }

  late(step: Step, content: Content): void {
    this.#decided(null, null).late(step, content);
  }

  ran(step: Step, outcome: { value: unknown } | { error: unknown }): void {
    this.#decided(null, null).ran(step, outcome);
  }

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional = false): T {
    if (this.#source !== null) return this.#source.draw(kind, scope, real, optional);
    const recorded = this.#tape.draw(this.#interval, kind, scope);
    if (recorded === undefined && optional) return real();
    this.#heard.push((source) => void source.draw(kind, scope, real, optional));
    if (recorded === undefined) return fallbackDraw(this.#runId, this.#interval, kind, scope, real) as T;
    drewClock(kind, recorded);
    return recorded as T;
  }

  delay(ms: number, scope: number, what: string, step?: Step): void {
    this.#hear((source) => source.delay(ms, scope, what, step));
  }

  next(kind: NumberedKind, scope: number): number {
    if (this.#source !== null) return this.#source.next(kind, scope);
    const n = this.#created.get(kind + scope) ?? 0;
    this.#created.set(kind + scope, n + 1);
    this.#heard.push((source) => void source.next(kind, scope));
    return n;
  }

  #hear(what: (source: Source) => void): void {
    if (this.#source === null) this.#heard.push(what);
    else what(this.#source);
  }

  #arm(): void {
    this.#waitBudget ??= live(() => originals.setTimeout(() => this.#decided(null, null), DECISION_MS));
    if (this.#armed) return;
    this.#armed = true;
    this.#run.enter(() => void originals.setImmediate(this.#pump));
  }

  readonly #pump = (): void => {
    this.#armed = false;
    const delivery = this.#source === null ? this.#nextOwed() : undefined;
    if (delivery === undefined) return;
    this.#heard.push(({ gate }) => gate instanceof ReplayGate && gate.passed(delivery));
    this.#arm();
    this.#turns.delivered(delivery, () => this.#tape.turnOfBody(delivery.id));
    delivery.fire();
  };

  /** What the record has next, once it is there; undefined while it is to come, and where the record has nothing. */
  #nextOwed(): Delivery | undefined {
    for (let at = this.#at; at < this.#tape.waypoints.length; at++) {
      const event = this.#tape.waypoints[at];
      if (event === undefined || (event.k !== "t" && event.k !== "o" && event.k !== "a")) continue;
      const delivery = this.#offered.get(keyOf(event));
      if (delivery === undefined && event.id < (this.#created.get(event.k + event.scope) ?? 0)) return undefined;
      if (delivery === undefined || delivery.dead()) continue;
      this.#offered.delete(keyOf(event));
      this.#at = at + 1;
      this.#interval = this.#tape.intervalAt(at) + 1;
      return delivery;
    }
    return undefined;
  }

  #decided(step: Step | null, content: Content | null): Source {
    if (this.#source !== null) return this.#source;
    const budget = this.#waitBudget;
    if (budget !== null) live(() => originals.clearTimeout(budget));
    const source = this.#decide(step, content);
    this.#source = source;
    for (const each of this.#heard.splice(0)) each(source);
    for (const delivery of this.#offered.values()) source.gate.offer(delivery);
    this.#offered.clear();
    return source;
  }
}
