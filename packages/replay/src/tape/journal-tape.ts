import type { DrawEvent, ForeignEvent, JournalEvent } from "@reenact/envelope";
import { type Delivery, type DrawKind, TurnKinds, type TurnKind } from "@reenact/capture/recorder";
import type { RecordedDelay } from "../timers/delay-pairs.ts";

/** An event that the gate walks over: everything but draws. */
export type Waypoint = Exclude<JournalEvent, { k: "v" }>;

/** What came with a wake-up stands behind its label and is no part of its name. */
export function keyOf(e: { k: string; id: number; part?: number; scope: number } | ForeignEvent): string {
  if ("label" in e) return `f${e.scope}:${e.label.split(" ", 1)[0]}`;
  return `${e.k}${e.scope}:${e.id}${e.part === undefined ? "" : `.${e.part}`}`;
}

export function keyOfDelivery({ kind, id, part, scope, label = "" }: Delivery): string {
  if (kind === "f") return keyOf({ k: kind, label, scope });
  return keyOf({ k: kind, id, scope, ...(kind === "c" ? { part } : {}) });
}

/** Measures of the machine, of which a replay takes the real ones where it likes, and bounds, which go with their random integer. */
const NO_READINGS: ReadonlySet<DrawKind> = new Set(["M", "G"]);

/** Recorded values of one kind that were not drawn. */
export interface GoneDraws {
  readonly kind: DrawKind;
  readonly count: number;
  /** number of the step that starts next; null: none does */
  readonly before: number | null;
}

/**
 * A recorded journal, without the events of tool bodies that will not run. Draws are kept apart: one queue per kind
 * and tool body for each interval between two deliveries.
 */
export class JournalTape {
  readonly waypoints: Waypoint[] = [];
  /** what timers and time-outs were set to */
  readonly delays: RecordedDelay[] = [];
  /** that has settled */
  #lastStep: number | null = null;
  /** kind of the last turn in the body of a step, by step */
  readonly #bodies = new Map<number, TurnKind>();
  /** of each interval: so many deliveries other than completed operations were before it */
  readonly #sections: number[] = [0];
  /** indices of waypoints, ascending, by their keys; null: not asked for yet */
  #places: Map<string, number[]> | null = null;
  /** interval of each waypoint */
  readonly #at: number[] = [];
  /** draws of interval i: after the i-th delivery, before the next */
  readonly #intervals: Map<string, (string | number)[]>[] = [new Map()];

  constructor(events: readonly JournalEvent[], skipped: ReadonlySet<number>) {
    const turns = new TurnKinds();
    for (const e of events) {
      if (e.k !== "v") this.#addTurn(e, turns);
      if (skipped.has(e.scope)) continue;
      if (e.k === "v") {
        this.#addDraws(e);
        continue;
      }
      if (e.k === "h" || e.k === "e") this.#lastStep = e.id;
      this.waypoints.push(e);
      this.#at.push(this.#intervals.length - 1);
      if (e.k === "s") continue;
      this.#intervals.push(new Map());
      this.#sections.push((this.#sections.at(-1) ?? 0) + (e.k === "o" ? 0 : 1));
    }
  }

  #addTurn(e: Waypoint, turns: TurnKinds): void {
    const { k: kind, scope } = e;
    if (kind === "s") return;
    const id = "id" in e ? e.id : -1;
    const body = kind === "h" ? turns.ofBody(id) : undefined;
    if (body !== undefined) this.#bodies.set(id, body);
    turns.delivered({ kind, id, scope, ...(kind === "h" && { ofBody: true }) });
  }

  /** The kind of turn in which the body of this step ended; undefined: it had no delivery of its own. */
  turnOfBody(step: number): TurnKind | undefined {
    return this.#bodies.get(step);
  }

  #addDraws({ kind, values, scope }: DrawEvent): void {
    if (kind === "W") {
      const [interval, after] = [this.#intervals.length - 1, this.#lastStep];
      for (const ms of values) this.delays.push({ interval, scope, ms: Number(ms), after });
      return;
    }
    const interval = this.#intervals.at(-1);
    const key = kind + scope;
    const known = interval?.get(key);
    if (known === undefined) interval?.set(key, [...values]);
    else known.push(...values);
  }

  /** Intervals between which only operations completed share a section. */
  sectionOf(interval: number): number {
    return this.#sections[interval] ?? this.#sections.at(-1) ?? 0;
  }

  /** Number of the interval in which a waypoint stands: so many deliveries were before it. */
  intervalAt(waypoint: number): number {
    return this.#at[waypoint] ?? 0;
  }

  /** Intervals behind the deliveries from a waypoint on that are skipped. */
  *intervalsBehind(from: number, isSkipped: (e: Waypoint) => boolean): Generator<number> {
    for (let i = from; i < this.waypoints.length; i++) {
      const e = this.waypoints[i];
      if (e === undefined || e.k === "s") continue;
      if (!isSkipped(e)) return;
      yield this.intervalAt(i) + 1;
    }
  }

  /** Where a delivery stands, not before a place; -1: nowhere. */
  placeOf(delivery: Delivery, from: number): number {
    this.#places ??= Map.groupBy(this.waypoints.keys(), (i) => keyOf(this.waypoints[i] as Waypoint));
    return this.#places.get(keyOfDelivery(delivery))?.find((i) => i >= from) ?? -1;
  }

  /** The next value of this kind in the interval; undefined if the record holds no more there. */
  draw(interval: number, kind: DrawKind, scope: number): string | number | undefined {
    return this.#intervals[interval]?.get(kind + scope)?.shift();
  }

  /** Values that were not drawn, up to an interval; only of kinds that are readings. */
  gone(interval: number): GoneDraws[] {
    const gone = new Map<string, GoneDraws>();
    let at = 0;
    for (const [i, draws] of this.#intervals.slice(0, interval + 1).entries()) {
      while (at < this.waypoints.length && !(this.waypoints[at]?.k === "s" && this.intervalAt(at) >= i)) at++;
      const start = this.waypoints[at];
      const before = start?.k === "s" ? start.id : null;
      for (const [key, { length }] of draws) {
        const kind = key[0] as DrawKind;
        if (NO_READINGS.has(kind) || length === 0) continue;
        const known = gone.get(`${kind} ${before}`);
        gone.set(`${kind} ${before}`, { kind, before, count: length + (known?.count ?? 0) });
      }
    }
    return [...gone.values()];
  }
}
