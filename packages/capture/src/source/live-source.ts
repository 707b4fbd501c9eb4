import type { RunContext } from "../run/context.ts";
import type { Gate } from "./gate.ts";
import type { DrawKind, NumberedKind, Source } from "./source.ts";
import type { Answer, Content } from "./answer.ts";
import { RecordGate } from "./record-gate.ts";
import type { Step } from "../span/step.ts";

/** Everything goes live and is journaled. */
export class LiveSource implements Source {
  readonly gate: Gate;
  readonly virtualTimers = false;
  readonly #run: RunContext;
  readonly #created = new Map<string, number>();

  constructor(run: RunContext) {
    this.#run = run;
    this.gate = new RecordGate(run.journal, (fn) => run.enter(fn));
  }

  begin(_step?: Step, _content?: Content | null): Answer {
    return { from: "live" };
  }

  late(): void {}

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T): T {
    this.gate.touch();
    const value = real();
    this.#run.journal.draw(kind, scope, value);
    return value;
  }

  delay(ms: number, scope: number): void {
    this.#run.journal.draw("W", scope, ms);
  }

  next(kind: NumberedKind, scope: number): number {
    const key = kind + scope;
    const n = this.#created.get(key) ?? 0;
    this.#run.journal.counts();
    this.#created.set(key, n + 1);
    return n;
  }

  ran(): void {}
}
