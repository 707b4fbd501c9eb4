import type { Step } from "@reenact/capture/recorder";
import type { FoundStep, TapeSource } from "../serve/tape-source.ts";
import { isBeneath, isDecision, type RecordedStep, type Tape } from "../tape/tape.ts";
import type { Ledger } from "../verdict/ledger.ts";
import type { Continuation } from "./continuation.ts";

/** `before`: as in a replay without live calls */
export type Decision = "before" | "live" | "recorded" | "run" | "refused";

interface DecisionParts {
  readonly tape: Tape;
  readonly ledger: Ledger;
  readonly continuation: Continuation;
}

/** Who answers a call of a run that leaves its record. */
export class LiveDecision {
  readonly #before: TapeSource;
  readonly #parts: DecisionParts;
  /** steps that are served whatever is live, in order of their start */
  readonly #prefix: readonly RecordedStep[];
  /** of these so many have been met, and answered */
  #met = 0;
  #answered = 0;

  constructor(before: TapeSource, parts: DecisionParts) {
    this.#before = before;
    this.#parts = parts;
    const { after } = parts.continuation.options;
    this.#prefix = parts.tape.ordered.filter(
      (step) => step.index < (after ?? 0) && !isBeneath(parts.tape, step, before.served),
    );
  }

  of(step: Step, found: FoundStep, { isEdited, isBehind }: { isEdited: boolean; isBehind: boolean }): Decision {
    return isBehind ? this.behind(step, found, isEdited) : this.#inRecord(step, found, isEdited);
  }

  /** Whether the options make calls of this kind live. */
  isLiveKind(step: Step): boolean {
    const { models, tools, names, resumes = false } = this.#parts.continuation.options;
    if (isDecision(step)) return false;
    if (resumes) return true;
    if (this.#parts.continuation.isBeneathLive(step.under)) return true;
    if (step.operation !== null) return models || isNamed(names, step.operation.vendor, step.op.split(".")[0] ?? "");
    if (step.kind === "HTTP") return isNamed(names, step.name.split(" ")[1] ?? "");
    return (tools && (step.kind === "TOOL" || step.kind === "STEP")) || isNamed(names, step.name);
  }

  /** Whether a recorded step is one of those that are served whatever is live. */
  isInPrefix(taken: RecordedStep | null): boolean {
    return taken !== null && taken.index < (this.#parts.continuation.options.after ?? 0);
  }

  /** The steps that are served whatever is live have their answers. Never, where no number of steps was given. */
  get isPrefixAnswered(): boolean {
    if (this.#parts.continuation.options.after === null) return false;
    for (let step = this.#prefix[this.#answered]; step !== undefined; step = this.#prefix[++this.#answered]) {
      // in the record it had not ended either
      if (!hasOutcome(step)) continue;
      const known = this.#before.calls.get(step.index);
      if (known === undefined || known.now.state === "open") return false;
    }
    return true;
  }

  /** What a person can do about a refused call. */
  whyRefused(step: Step, { taken }: FoundStep): string {
    if (this.#isDropped(step, taken))
      return `a fork drops the answers behind it; --live ${step.name} asks anew, --set input.${step.name}=<JSON> gives one`;
    const asks = taken === null ? "the record has no such call" : "the recorded call asks for something else";
    if (step.operation !== null) return `${asks}; --live llm makes it live`;
    if (step.kind === "HTTP")
      return `${asks}; --live ${step.name.split(" ")[1] ?? ""} sends such requests, which may change what is there`;
    if (step.kind === "INPUT") return `${asks}; --live ${step.name} asks anew`;
    const given = taken?.name === step.name ? `, --set tool.${step.name}=<JSON> gives a result` : "";
    return `${asks}; --live ${step.name} runs the real one with all that it does${given}`;
  }

  /** Up to the hand-over. Of a number of steps, all have to be served before another one is live. */
  #inRecord(step: Step, found: FoundStep, isEdited: boolean): Decision {
    const { after } = this.#parts.continuation.options;
    const { taken } = found;
    if (after !== null) {
      if (this.isInPrefix(taken) || !this.#isPrefixMet) return "before";
      return this.behind(step, found, isEdited);
    }
    if (!this.isLiveKind(step)) return "before";
    const isServed = step.operation !== null && !isEdited && this.#isServable(step, found);
    return isServed ? "before" : "live";
  }

  /** Of a run that has left its record. */
  behind(step: Step, found: FoundStep, isEdited: boolean): Exclude<Decision, "before"> {
    const { taken } = found;
    const { after } = this.#parts.continuation.options;
    const isServable = this.#isServable(step, found);
    if (this.isLiveKind(step)) {
      const mayServe = step.operation !== null && (after === null || this.isInPrefix(taken));
      return mayServe && isServable && !isEdited ? "recorded" : "live";
    }
    if (this.#runsBody(step, taken)) return "run";
    if (this.#isDropped(step, taken)) return "refused";
    return isServable ? "recorded" : "refused";
  }

  /** The record has just this call, and how it ended; or `--set` gives it a result, whatever it asks for. */
  #isServable(step: Step, found: FoundStep): boolean {
    const { taken } = found;
    if (taken === null || !hasOutcome(taken)) return false;
    return (taken.given !== undefined && taken.name === step.name) || this.#before.isAsRecorded(step, found);
  }

  /** An answer of a person in the record of what the program was forked from, and no caller gave another one. */
  #isDropped({ op }: Step, taken: RecordedStep | null): boolean {
    const { dropsAnswers = false } = this.#parts.continuation.options;
    return dropsAnswers && op.startsWith("input:") && taken?.given === undefined;
  }

  /** Of a sub-agent or another tool with inner steps the body runs, and these are decided one by one. */
  #runsBody(step: Step, taken: RecordedStep | null): boolean {
    // it has no body: only the record of it is a step
    if (isDecision(step)) return true;
    if (step.exchange !== null || step.operation !== null || step.kind === "HTTP") return false;
    if (taken !== null) return taken.record.call !== undefined && !this.#before.served.has(taken.index);
    const { tape } = this.#parts;
    return tape.ordered.some((each) => each.name === step.name && tape.composite.has(each.index));
  }

  get #isPrefixMet(): boolean {
    for (let step = this.#prefix[this.#met]; step !== undefined; step = this.#prefix[++this.#met])
      if (!this.#parts.ledger.met(step.index)) return false;
    return true;
  }
}

const isNamed = (names: readonly string[], ...own: string[]): boolean => own.some((name) => names.includes(name));

function hasOutcome({ record: { exchange, call } }: RecordedStep): boolean {
  if (exchange !== undefined)
    return exchange.end === "error"
      ? exchange.error !== undefined || exchange.response !== undefined
      : exchange.response !== undefined;
  return call?.result !== undefined || call?.error !== undefined || call?.["generator"] !== undefined;
}
