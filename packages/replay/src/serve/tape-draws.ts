import type { DrawKind, RunContext } from "@reenact/capture/recorder";
import type { ReplayGate } from "../gate/replay-gate.ts";
import { expectsNoEnd } from "../tape/cut-off.ts";
import type { JournalTape } from "../tape/journal-tape.ts";
import { isJournalOver } from "../tape/lost-inputs.ts";
import type { Tape } from "../tape/tape.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { DrawPlaces } from "./draw-places.ts";
import { DRAWN } from "./drawn.ts";
import { drewClock, fallbackDraw } from "./fallback-draw.ts";

interface DrawParts {
  readonly journal: JournalTape;
  readonly gate: ReplayGate;
  /** scopes of bodies that run although a record exists */
  readonly free: ReadonlySet<number>;
  /** the record is over */
  end(): void;
}

/** Readings of clock, random sources and machine, from the record of one run. */
export class TapeDraws {
  readonly #run: RunContext;
  readonly #tape: Tape;
  readonly #ledger: Ledger;
  readonly #parts: DrawParts;
  readonly #places = new DrawPlaces();

  constructor(run: RunContext, tape: Tape, ledger: Ledger, parts: DrawParts) {
    this.#run = run;
    this.#tape = tape;
    this.#ledger = ledger;
    this.#parts = parts;
  }

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional: boolean): T {
    const { gate, free } = this.#parts;
    gate.touch();
    const recorded = free.has(scope) ? undefined : this.#recorded(kind, scope);
    if (recorded === undefined && optional) return real();
    if (kind === "G") this.#compareBound(recorded, real());
    this.#places.saw(kind, gate.interval);
    if (recorded !== undefined) drewClock(kind, recorded);
    else if (!free.has(scope)) this.#missed(kind);
    const value = (recorded ??
      (free.has(scope) ? real() : fallbackDraw(this.#tape.runId, gate.interval, kind, scope, real))) as T;
    this.#run.journal.draw(kind, scope, value);
    return value;
  }

  #recorded(kind: DrawKind, scope: number): string | number | undefined {
    const { gate, journal } = this.#parts;
    for (const interval of [gate.interval, ...gate.intervalsBehindOperations()]) {
      const recorded = journal.draw(interval, kind, scope);
      if (recorded !== undefined) return recorded;
    }
    return undefined;
  }

  #compareBound(recorded: string | number | undefined, now: string | number): void {
    const { gate } = this.#parts;
    if (recorded === undefined || recorded === now || gate.degraded) return;
    this.#places.saw("G", gate.interval);
    const [place] = this.#places.of("G");
    const at = place === undefined ? "" : `, at ${place}`;
    const cause = `the range of a random integer has the bound ${now} where the recorded run had ${recorded}${at}`;
    this.#ledger.diverged(null, null, "draw", { pointer: "", recorded, now }, cause);
  }

  /** Said at once: what the agent does with the value may not show. */
  #missed(kind: DrawKind): void {
    const { gate, end } = this.#parts;
    if (isJournalOver(this.#tape, gate)) end();
    if (gate.degraded || expectsNoEnd(this.#tape, gate)) return;
    this.#ledger.drew({
      what: DRAWN[kind],
      expected: gate.expected,
      places: this.#places.of(kind),
      inPackage: this.#places.isInPackage(kind),
    });
  }
}
