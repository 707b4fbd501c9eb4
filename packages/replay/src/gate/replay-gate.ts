import {
  type Delivery,
  type Gate,
  journalDelivery,
  knowsTimers,
  originals,
  TurnKinds,
  type TurnKind,
} from "@reenact/capture/recorder";
import type { JournalWriter } from "@reenact/envelope";
import type { GateHooks } from "./gate-hooks.ts";
import { type JournalTape, keyOf, keyOfDelivery, type Waypoint } from "../tape/journal-tape.ts";
import { deliveryAhead } from "./delivery-ahead.ts";
import { OtherOperations } from "./other-operations.ts";
import { StartOrder } from "./start-order.ts";
import { owedInOrder } from "./owed-in-order.ts";
import { comesAtOnce, deliverLate, takeOldest, whileAlive } from "./oldest-delivery.ts";
import { type Unreached, unreached } from "./unreached.ts";
import { watchQuiet } from "./watch-quiet.ts";

/** In quarters of a second. */
const QUARTERS = { idle: 4, underWay: 120 };

/** Schedules deliveries in the order of a recorded journal, one per `setImmediate`. It never polls. */
export class ReplayGate implements Gate {
  readonly #tape: JournalTape;
  readonly #journal: JournalWriter;
  readonly #hooks: GateHooks;
  readonly #free: ReadonlySet<number>;
  readonly #ready = new Map<string, Delivery>();
  readonly #loose = new Map<Delivery, Delivery>();
  readonly #started = new Set<number>();
  readonly #starts: StartOrder;
  readonly #dropped = new Set<number>();
  readonly #woken = new Map<string, number>();
  readonly #skipped = new Map<string, Waypoint>();
  readonly #operations = new OtherOperations();
  #unreached: Unreached[] | null = null;
  #at = 0;
  interval = 0;
  isArmed = false;
  readonly #turns = new TurnKinds();
  closed = false;
  delivered = 0;
  degraded = false;
  earlyWakes = 0;

  /** `free`: tool bodies that run although a record exists; their deliveries come when they come. */
  constructor(tape: JournalTape, journal: JournalWriter, free: ReadonlySet<number>, hooks: GateHooks) {
    this.#tape = tape;
    this.#starts = new StartOrder(tape.waypoints);
    this.#journal = journal;
    this.#free = free;
    this.#hooks = hooks;
    this.#arm();
  }

  get turn(): TurnKind {
    return this.#turns.kind;
  }

  touch(): void {
    this.#arm();
  }

  offer(delivery: Delivery): void {
    if (this.closed) return deliverLate(delivery);
    // of a body that has ended, and not waited for at its place
    const isPast = this.#dropped.has(delivery.scope) && this.#tape.placeOf(delivery, this.#at) === -1;
    if (this.#free.has(delivery.scope) || isPast) {
      if (delivery.kind !== "f") this.#loose.set(delivery, delivery);
      this.#skipped.delete(keyOfDelivery(delivery));
    } else this.#ready.set(keyOfDelivery(delivery), delivery);
    this.#arm();
  }

  isEvent(operation: Delivery): boolean {
    return !this.closed && !this.degraded && this.#tape.placeOf(operation, this.#at) !== -1;
  }

  /** A native timer exists only where timers are not virtual. */
  enter(delivery: Delivery): void {
    this.offer(delivery);
  }

  /** The agent has made this step by itself. Returns the recorded starts that it has left out before it. */
  started(step: number): number[] {
    this.#started.add(step);
    this.#arm();
    return this.#starts.reached(step);
  }

  /**
   * The recorded delivery, not made yet, that came before this step started; null: none. Read before `started`.
   * Native wake-ups do not count: they come when they come. Nor do operations if this run has begun fewer of them: how many
   * files a program reads or writes is compared by what it leaves in them.
   */
  aheadOf(step: number): Waypoint | null {
    if (this.degraded) return null;
    this.#head();
    const { waypoints } = this.#tape;
    return deliveryAhead({ waypoints, from: this.#at }, step, this.#dropped, (e) => this.#isNotBegun(e));
  }

  /** Intervals behind operations that come next in the record and that this run has not begun: it may never begin them. */
  intervalsBehindOperations(): Iterable<number> {
    this.#head();
    return this.degraded ? [] : this.#tape.intervalsBehind(this.#at, (e) => this.#isNotBegun(e));
  }

  #isNotBegun(e: Waypoint): boolean {
    return e.k === "o" && e.id >= this.#hooks.begun(e.scope);
  }

  /** So many recorded deliveries are before this event of the journal. */
  intervalOf(event: Waypoint): number {
    return this.#tape.intervalAt(this.#tape.waypoints.indexOf(event));
  }

  /** The step that the journal expects to start next; null at its end. */
  get expected(): number | null {
    return this.#starts.next;
  }

  nativeWakeup(label: string, scope: number): void {
    if (this.closed) return;
    this.#journal.append({ k: "f", label, scope });
    this.#turns.nativeWakeup(scope);
    const head = this.#head();
    if (head?.k === "f" && head.label === label && head.scope === scope) this.#pass();
    else {
      const key = `${label} ${scope}`;
      if (this.left().some((e) => e.k === "f" && e.label === label && e.scope === scope)) {
        this.earlyWakes++;
        this.#woken.set(key, (this.#woken.get(key) ?? 0) + 1);
      }
    }
    this.#arm();
  }

  /** The body of this tool has ended: what the record still holds of it comes if it has left it behind, or not at all. */
  drop(scope: number): void {
    this.#dropped.add(scope);
    this.#arm();
  }

  /** The run is over. What is owed to code that goes on behind it comes without an order. */
  close(): void {
    if (this.closed) return;
    this.unreached();
    this.closed = true;
    for (const owed of [this.#ready, this.#loose]) {
      for (const delivery of owed.values()) deliverLate(delivery);
      owed.clear();
    }
  }

  /** Another gate goes on from here. Returns what is owed; what the record has behind this is not expected any more. */
  handOver(): Delivery[] {
    const owed = [
      ...owedInOrder(
        this.#ready,
        this.left().map((e) => this.#keyOf(e)),
      ),
      ...this.#loose.values(),
    ];
    for (const each of [this.#ready, this.#loose]) each.clear();
    [this.#unreached, this.closed] = [[], true];
    return owed;
  }

  /** Number of operations and native wake-ups that happened only in this run or only in the recorded one. */
  get otherOperations(): number {
    return this.#operations.count + this.left().filter((e) => e.k === "o" && !this.#ready.has(keyOf(e))).length;
  }

  /** A delivery that was made before it was known whose record this is. */
  passed(delivery: Delivery): void {
    journalDelivery(this.#journal, delivery);
    this.#turns.delivered(delivery, () => this.#tape.turnOfBody(delivery.id));
    const place = this.#tape.placeOf(delivery, this.#at);
    if (place !== -1) [this.#at, this.interval] = [place + 1, this.#tape.intervalAt(place) + 1];
  }

  /** Nothing keeps the event loop alive any more: what is owed now and would have, is a divergence. */
  idle(): void {
    const waiting = this.#waiting();
    if (this.closed || this.isArmed || waiting.length === 0) return;
    if (!this.degraded && this.#hooks.isCutOff(this.#head())) return this.#hooks.exhausted();
    const mayWait = !this.degraded && this.#head() === undefined && this.#hooks.endsByItself;
    if (this.onlyOutside.length > 0) return;
    if (!this.#goesOn()) {
      if (mayWait && !waiting.some((key) => comesAtOnce(this.#ready.get(key)))) return;
      this.#diverge("the agent is idle", waiting);
    }
    this.#arm();
  }

  mayEnd(): boolean {
    const head = this.#head();
    if (!this.degraded && head === undefined && !this.#hooks.isCutOff(head)) this.idle();
    return !this.isArmed;
  }

  /**
   * Called when nothing else can happen. How many file operations a program makes is not part of its behaviour: one that the
   * record has later or not at all completes now, and a recorded one that this run never began is skipped.
   */
  #goesOn(): boolean {
    if (this.degraded) return false;
    const head = this.#head();
    if (this.#operations.take(this.#ready, head)) return true;
    if (head === undefined || (head.k !== "f" && head.k !== "o") || this.#isUnderWay(head)) return false;
    this.#operations.count++;
    this.#pass();
    return true;
  }

  /** Labels of what the agent waits for, where all of it comes from outside and none of it is in the record any more. */
  get onlyOutside(): string[] {
    if (this.closed || !this.degraded || this.#waiting(false).length > 0) return [];
    const owed = new Set(this.#waiting());
    if (this.left().some((e) => e.k === "f" && owed.has(keyOf(e)))) return [];
    return [...this.#ready.values()].flatMap((d) => (owed.has(keyOfDelivery(d)) ? (d.label ?? "") : []));
  }

  /** For a loop that a real handle keeps alive. */
  watch(): void {
    watchQuiet(this, () => this.idle());
  }

  get waits(): boolean {
    // what comes from outside keeps a loop alive, and does not say that anybody waits for it
    return !this.isArmed && this.#waiting(false).length > 0;
  }

  get waitBudget(): number {
    return this.#isUnderWay(this.#head()) ? QUARTERS.underWay : QUARTERS.idle;
  }

  /** Deliveries of the record that this run ended without; none where order was lost. */
  unreached(): Unreached[] {
    return this.degraded
      ? []
      : (this.#unreached ??= unreached(this.left(), this.#skipped, (e) => this.#ready.get(this.#keyOf(e))));
  }

  /** Waypoints that were never reached, starts without their step included. */
  left(): Waypoint[] {
    this.#head();
    return this.#tape.waypoints.slice(this.#at);
  }

  #arm(): void {
    if (this.isArmed || this.closed) return;
    this.isArmed = true;
    this.#hooks.enterRun(() => void originals.setImmediate(this.#pump));
  }

  readonly #pump = (): void => {
    this.isArmed = false;
    if (this.closed) return;
    // else what is handed over first would have other stacks than the rest
    if (!knowsTimers()) return this.#arm();
    const other = this.#operations.next();
    if (other !== null) return this.#fire(other);
    const head = this.#head();
    if (head !== undefined && head.k !== "s") {
      const key = this.#keyOf(head);
      const delivery = this.#ready.get(key);
      if (delivery !== undefined && !delivery.dead()) {
        if (!this.#hooks.mayDeliver(head)) return;
        // the recorded run got a value here that its record does not hold
        if (delivery.open === true) return this.#hooks.exhausted();
        this.#ready.delete(key);
        this.#pass();
        return this.#fire(delivery, head);
      }
    }
    // parked: whatever makes the head deliverable passes through the shell and arms us again
    this.#unordered(false);
  };

  /** `alive`: also what would not keep the loop alive, since something else does. */
  #unordered(alive: boolean): void {
    const loose = takeOldest(this.#loose, alive);
    if (typeof loose === "object") return this.#fire(loose);
    if ((this.degraded && this.#anything(alive)) || loose === "parked") this.#whileAlive();
  }

  /** A timer that is not referenced may begin itself anew for ever: it must not keep the loop alive by our doing. */
  readonly #whileAlive = whileAlive(() => {
    if (!this.closed && !this.isArmed) this.#hooks.enterRun(() => this.#unordered(true));
  });

  #fire(delivery: Delivery, event?: Waypoint): void {
    if (event === undefined && this.degraded) this.#hooks.unrecorded(keyOfDelivery(delivery));
    this.delivered++;
    this.#turns.delivered(delivery, () => this.#tape.turnOfBody(delivery.id));
    this.#arm();
    if (event?.k !== "f") {
      journalDelivery(this.#journal, delivery);
      return delivery.fire();
    }
    this.#journal.append(event);
    delivery.fire(event.label.replace(/^[^ ]* ?/, ""));
  }

  /** The key under which a recorded delivery is known in this run. */
  #keyOf(e: Waypoint): string {
    return e.k === "t" ? `t${e.scope}:${this.#hooks.timerOf(e.scope, e.id) ?? "none"}` : keyOf(e);
  }

  #pass(): void {
    this.#at++;
    this.interval++;
  }

  /** Skips what needs no delivery: starts that have happened, bodies that have ended, wake-ups that came early. */
  #head(): Waypoint | undefined {
    const { waypoints } = this.#tape;
    for (let e = waypoints[this.#at]; e !== undefined; e = waypoints[++this.#at]) {
      if (this.#dropped.has(e.scope) && !this.#isLeftBehind(e)) {
        if (e.k !== "s") this.interval++;
        if (e.k !== "s" && e.k !== "f") this.#skipped.set(keyOf(e), e);
        continue;
      }
      if (e.k === "s" && this.#started.has(e.id)) continue;
      if (e.k === "o" && this.#operations.hasCome(e)) {
        this.interval++;
        continue;
      }
      if (e.k === "f") {
        const key = `${e.label} ${e.scope}`;
        const early = this.#woken.get(key) ?? 0;
        if (early > 0) {
          this.#woken.set(key, early - 1);
          this.interval++;
          continue;
        }
      }
      return e;
    }
    return undefined;
  }

  /** By a body that has ended: owed, or a real operation that it began and that still takes its time. */
  #isLeftBehind(e: Waypoint): boolean {
    const owed = this.#ready.get(this.#keyOf(e));
    if (owed !== undefined) return !owed.dead();
    return this.#isUnderWay(e);
  }

  /** A real operation that has begun, and takes as long as it takes: a large file, a slow hash. Without an order it may have come. */
  #isUnderWay(e: Waypoint | undefined): boolean {
    return e?.k === "o" && !this.degraded && e.id < this.#hooks.begun(e.scope) && !this.#ready.has(keyOf(e));
  }

  #waiting(arrivals = true): string[] {
    const isWaited = (d: Delivery): boolean =>
      !d.dead() && d.referenced() && (arrivals || d.kind !== "f") && !(d.open === true && this.#hooks.drained);
    return [...this.#ready].flatMap(([key, d]) => (isWaited(d) ? key : []));
  }

  #diverge(why: string, waiting: string[]): void {
    if (this.degraded) return;
    this.degraded = true;
    this.#hooks.diverged({ why, expected: this.#head() ?? null, waiting });
  }

  /**
   * Order is lost: what was recorded goes out in recorded order, then the rest by age, then what came from outside. True: only
   * what does not keep the loop alive is left.
   */
  #anything(alive: boolean): boolean {
    if (this.#nextOf((e) => e.k !== "f")) return false;
    const oldest = takeOldest(this.#ready, alive);
    if (oldest === "none") this.#nextOf((e) => e.k === "f");
    else if (oldest !== "parked") this.#fire(oldest);
    return oldest === "parked";
  }

  /** Fires the first of these events, as recorded, that is owed. */
  #nextOf(isOf: (e: Waypoint) => boolean): boolean {
    const { waypoints } = this.#tape;
    for (let i = this.#at; i < waypoints.length; i++) {
      const e = waypoints[i];
      if (e === undefined || e.k === "s" || !isOf(e)) continue;
      const delivery = this.#ready.get(this.#keyOf(e));
      if (delivery === undefined || delivery.dead()) continue;
      this.#ready.delete(this.#keyOf(e));
      this.interval = this.#tape.intervalAt(i) + 1;
      // it may come any number of times under one name
      if (e.k === "f") this.#at = i + 1;
      this.#fire(delivery, e);
      return true;
    }
    return false;
  }
}
