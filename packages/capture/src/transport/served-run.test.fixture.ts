import { type JournalEvent, parseJournal, type RecordedExchange } from "@reenact/envelope";
import type { Delivery, Gate } from "../source/gate.ts";
import { LiveSource } from "../source/live-source.ts";
import { journalDelivery } from "../source/record-gate.ts";
import { originals } from "../patch/originals.ts";
import { recorder } from "../run/recorder.ts";
import type { RunContext } from "../run/context.ts";
import { Run } from "../run/run.ts";
import type { Source } from "../source/source.ts";
import type { Answer, Content } from "../source/answer.ts";
import type { Step } from "../span/step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";

export interface Recording {
  readonly steps: Step[];
  readonly run: Run;
}

/** A run that is recorded, and the steps it has made. */
export function recordedRun(): Recording {
  const steps: Step[] = [];
  class Watched extends LiveSource {
    override begin(step?: Step): Answer {
      if (step !== undefined) steps.push(step);
      return super.begin();
    }
  }
  return { steps, run: runWith((run) => new Watched(run)) };
}

/** A run that is served from a recording; `late` holds the requests whose bytes came later. */
export function servedRun(
  events: string,
  exchanges: readonly ExchangeDraft[],
): Recording & { left(): JournalEvent[]; late: Content[] } {
  const steps: Step[] = [];
  const late: Content[] = [];
  let gate: TapeGate | undefined;
  const run = runWith((r) => {
    gate = new TapeGate(r, parseJournal(events));
    const created = new Map<string, number>();
    const source: Source = {
      gate,
      virtualTimers: true,
      begin(step) {
        steps.push(step);
        const draft = exchanges[step.index];
        if (draft === undefined) return { from: "miss", error: new Error("not in the record") };
        const chunks = draft.chunks.filter((_, n) => draft.cuts[n]?.[2] !== -1);
        return {
          from: "exchange",
          exchange: exchangeOf(draft),
          body: () => chunks.map((bytes, n) => ({ bytes, at: draft.cuts[n]?.[0] ?? 0 })),
        };
      },
      late: (_, content) => void late.push(content),
      delay: (ms, scope) => r.journal.draw("W", scope, ms),
      draw: (_kind, _scope, real) => real(),
      next(kind, scope) {
        const n = created.get(kind + scope) ?? 0;
        created.set(kind + scope, n + 1);
        return n;
      },
      ran: () => {},
    };
    return source;
  });
  return { steps, run, late, left: () => gate?.left() ?? [] };
}

function runWith(source: (run: RunContext) => Source): Run {
  recorder.sourceFor = source;
  const run = new Run({ trigger: "function", name: "test", sequence: 0 });
  recorder.sourceFor = null;
  return run;
}

function exchangeOf(draft: ExchangeDraft): RecordedExchange {
  const { response, error } = draft;
  return {
    via: draft.via,
    request: { method: draft.method, url: draft.url, headers: draft.requestHeaders },
    ...(response === null
      ? {}
      : {
          response: {
            status: response.status,
            reason: response.reason,
            headers: response.headers,
            ...(response.hasBody ? { body: { text: "" } } : {}),
          },
        }),
    end: draft.end ?? "open",
    ...(error === null ? {} : { error }),
  };
}

const keyOf = (k: string, id: number, scope: number, part: number): string =>
  `${k} ${id} ${scope} ${k === "c" ? part : ""}`;

/** Delivers in the order of a journal, one per `setImmediate`. */
class TapeGate implements Gate {
  readonly turn = "tick";
  readonly delivered = 0;
  readonly #run: RunContext;
  readonly #events: JournalEvent[];
  readonly #owed = new Map<string, Delivery>();
  #armed = false;

  constructor(run: RunContext, events: JournalEvent[]) {
    this.#run = run;
    this.#events = events.filter((e) => e.k !== "s" && e.k !== "v");
  }

  left(): JournalEvent[] {
    return this.#events;
  }

  isEvent(): boolean {
    return false;
  }

  touch(): void {
    this.#arm();
  }

  offer(d: Delivery): void {
    this.#owed.set(keyOf(d.kind, d.id, d.scope, d.part), d);
    this.#arm();
  }

  enter(d: Delivery): void {
    this.offer(d);
  }

  nativeWakeup(): void {}
  close(): void {}

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    originals.setImmediate(() => {
      this.#armed = false;
      const e = this.#events[0];
      if (e === undefined || e.k === "f" || e.k === "v") return;
      const d = this.#owed.get(keyOf(e.k, e.id, e.scope, e.k === "c" ? e.part : 0));
      if (d === undefined || d.dead()) return;
      this.#events.shift();
      this.#arm();
      journalDelivery(this.#run.journal, d);
      d.fire();
    });
  }
}
