import type { Step } from "@reenact/capture";
import { nextFinding } from "./finding-order.ts";
import { type Blame, placeOf } from "./match/blame.ts";
import { slotOf, type Tape, type TapedStep } from "./tape.ts";
import { type CallVerdict, type Divergence, type Finding, isFaithful } from "./verdict.ts";

export interface Call {
  /** from 1, by start */
  step: number;
  slot: string;
  attempt: number;
  verdict: CallVerdict;
}

export interface Refusal {
  kind: string;
  target: string;
  stack: string;
  /** tool whose body tried it; null outside */
  tool: string | null;
}

interface Entry extends Call {
  /** recorded steps in whose place this one came; what it is called depends on whether they come later */
  instead: { steps: readonly number[]; otherwise: CallVerdict } | null;
}

/** Everything that a replay found out about one run, in the order in which it happened. */
export class Ledger {
  readonly tape: Tape;
  /** names of served tools whose source has changed */
  readonly changedTools = new Set<string>();
  readonly findings = new Set<Finding>();
  readonly notes: string[] = [];
  readonly refused: Refusal[] = [];
  readonly #entries: Entry[] = [];
  readonly #met = new Set<number>();
  /** bodies that ran and did something else than was recorded, in words */
  readonly #otherwise: { step: number; what: string }[] = [];
  readonly #byStep = new Map<number, Entry>();
  #first: Divergence | null = null;
  /** when it was found, among all that was found in this process */
  found = Infinity;
  /** the call that the first divergence is about */
  #firstEntry: Entry | null = null;
  #drawn: { cause: string; expected: number | null } | null = null;
  /** redacted values that were compared by their place only, since their tokens say nothing of them */
  byPlace = 0;
  /** ids of a provider's form that were compared by their place only, since a live step has minted others */
  idsByPlace = 0;
  sockets = 0;
  live = 0;
  /** ran although recorded, by `--run-tool` */
  edited = 0;

  constructor(tape: Tape) {
    this.tape = tape;
  }

  get divergence(): Divergence | null {
    return this.#first;
  }

  get calls(): Call[] {
    return this.#entries.map(({ step, slot, attempt, verdict }) => ({ step, slot, attempt, verdict }));
  }

  met(index: number): boolean {
    return this.#met.has(index);
  }

  /** `leftOut`: recorded steps that should have started before it and have not. */
  served(step: TapedStep, verdict: CallVerdict, difference: Blame | null, leftOut: readonly number[] = []): void {
    this.#met.add(step.index);
    const early = leftOut.length > 0 && isFaithful(verdict);
    const now = early ? "reordered" : verdict;
    const entry = this.#add(
      step.index + 1,
      slotOf(step.record),
      step.record.attempt,
      now,
      early ? { steps: leftOut, otherwise: verdict } : null,
    );
    this.#byStep.set(step.index, entry);
    if (!isFaithful(now)) this.#entryDiverged(entry, difference, causeOf(step, now, difference));
  }

  /** A step that was served has started before a delivery that came first when it was recorded. */
  early(step: TapedStep, when: string): void {
    const entry = this.#byStep.get(step.index);
    if (entry === undefined || !isFaithful(entry.verdict)) return;
    entry.verdict = "reordered";
    const cause = `${step.record.op} (step ${step.index + 1}) was called ${when}; when recorded, after it`;
    this.#entryDiverged(entry, null, cause);
  }

  /** `instead`: the tool that the recorded run called here. */
  extra(
    step: Step,
    verdict: "extra" | "exhausted" | "wrong-tool",
    cause: string,
    instead: TapedStep | null = null,
  ): void {
    const entry = this.#add(
      step.index + 1,
      slotOf(step),
      step.attempt,
      verdict,
      instead === null ? null : { steps: [instead.index], otherwise: "extra" },
    );
    this.#entryDiverged(entry, null, cause);
  }

  /** A verdict that was given too early: the bytes of a form came later. */
  revise(step: TapedStep, verdict: CallVerdict, difference: Blame | null): void {
    const entry = this.#byStep.get(step.index);
    if (entry === undefined || entry.verdict === "reordered") return;
    entry.verdict = verdict;
    if (!isFaithful(verdict)) this.#entryDiverged(entry, difference, causeOf(step, verdict, difference));
  }

  /** A difference that changes nothing about the answer: it is named, and is no divergence. */
  noted(what: string): void {
    this.findings.add("noted-difference");
    this.note(what);
  }

  /** Said once, however often it happens. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** The source of a function that was served is not what it was. */
  sourceChanged({ kind, name }: TapedStep): void {
    this.findings.add("source-changed");
    if (kind === "TOOL") this.changedTools.add(name);
  }

  /** A tool's body ran and ended otherwise: what differs later differs because of it. */
  ranOtherwise(step: TapedStep, what: string): void {
    this.#otherwise.push({ step: step.index + 1, what });
  }

  /**
   * The agent has drawn what is not in the record at this place. That may be since it has left out the step that the
   * record expects next: then that one is upstream of it.
   */
  drew(what: string, expected: number | null, places: readonly string[]): void {
    if (this.#first !== null) return;
    const near = expected === null ? "after the last step" : `before step ${expected + 1}`;
    const [at, ...before] = places;
    const where = at === undefined ? "" : `, at ${at}`;
    const or =
      before.length === 0 ? "" : ` (or before that, at ${before.join(", ")}: the record does not tell them apart)`;
    const cause = `the agent asks for ${what} where the recorded run did not, ${near}${where}${or}`;
    this.#drawn = { cause, expected };
    this.diverged(null, null, "draw", null, cause);
  }

  /** The first one stays: it is upstream of all others. */
  diverged(step: number | null, slot: string | null, verdict: string, difference: Blame | null, cause: string): void {
    if (this.#first !== null) return;
    const upstream = this.#otherwise.findLast((o) => step === null || o.step < step);
    this.found = Math.min(this.found, nextFinding());
    this.#first = {
      step,
      slot,
      verdict,
      cause: upstream === undefined ? cause : `${cause}, because ${upstream.what}`,
      of: difference?.of ?? null,
      pointer: difference?.pointer ?? null,
      recorded: difference?.recorded ?? null,
      now: difference?.now ?? null,
      others: difference?.others ?? [],
      next:
        step === null
          ? `reenact show ${this.tape.runId.slice(0, 6)}`
          : `reenact show ${this.tape.runId.slice(0, 6)} --step ${step}`,
    };
  }

  #add(step: number, slot: string, attempt: number, verdict: CallVerdict, instead: Entry["instead"]): Entry {
    const entry = { step, slot, attempt, verdict, instead };
    this.#entries.push(entry);
    return entry;
  }

  #entryDiverged(entry: Entry, difference: Blame | null, cause: string): void {
    if (this.#first !== null) return;
    this.diverged(entry.step, entry.slot, entry.verdict, difference, cause);
    this.#firstEntry = entry;
  }

  /** What came instead of steps: before them if they came later, else they are what is missing. */
  #settleInstead(): void {
    for (const entry of this.#entries) {
      if (entry.instead === null) continue;
      const { steps, otherwise } = entry.instead;
      const came = steps.some((index) => this.#met.has(index));
      if (entry.verdict === "reordered" ? came : !came) continue;
      entry.verdict = otherwise;
      if (entry !== this.#firstEntry || this.#first === null) continue;
      const [left] = steps;
      if (!isFaithful(otherwise)) this.#first = { ...this.#first, verdict: otherwise };
      else if (left !== undefined) this.#first = null;
      const step = this.tape.steps.get(left ?? -1);
      if (this.#first === null && step !== undefined) this.#missing(step);
    }
  }

  #missing(step: TapedStep): void {
    const [refused] = this.refused;
    const why = refused === undefined ? "" : ` (${refused.kind} ${refused.target} was refused)`;
    this.diverged(
      step.index + 1,
      slotOf(step.record),
      "missing",
      null,
      `the recorded run called ${step.record.op} here; this run never did${why}`,
    );
  }

  /** Recorded calls that were never asked. Only those whose ancestors ran, and that had ended, can be missing. */
  close(servedTools: ReadonlySet<number>, openAtEnd: (step: TapedStep) => boolean): number {
    let missing = 0;
    this.#settleInstead();
    for (const step of this.tape.ordered) {
      if (this.#met.has(step.index)) continue;
      const covered = this.#underServed(step, servedTools);
      if (!covered && openAtEnd(step)) continue;
      this.#add(step.index + 1, slotOf(step.record), step.record.attempt, covered ? "covered" : "missing", null);
      if (covered) continue;
      missing++;
      if (this.#drawn?.expected === step.index) {
        this.notes.push(this.#drawn.cause);
        this.#first = null;
      }
      this.#missing(step);
    }
    this.#entries.sort((a, b) => a.step - b.step);
    return missing;
  }

  #underServed(step: TapedStep, servedTools: ReadonlySet<number>): boolean {
    for (let under = step.record.under; under !== null; under = this.tape.steps.get(under)?.record.under ?? null)
      if (servedTools.has(under)) return true;
    return false;
  }
}

function causeOf(step: TapedStep, verdict: CallVerdict, difference: Blame | null): string {
  const where = difference === null ? "" : ` at ${placeOf(difference)}`;
  const what = whatDiffers(step, verdict, where);
  return !difference?.why ? what : `${what}; ${difference.why}`;
}

function whatDiffers(step: TapedStep, verdict: CallVerdict, where: string): string {
  switch (verdict) {
    case "system":
      return `request ${step.index + 1} (${step.record.op}) has another system prompt${where}: changed in code or configuration`;
    case "params":
      return `request ${step.index + 1} (${step.record.op}) has other parameters${where}: changed in code or configuration`;
    case "history":
      return `request ${step.index + 1} (${step.record.op}) asks the same after another history${where}`;
    case "reordered":
      return `${step.record.op} (step ${step.index + 1}) was called before a step that the recorded run called first`;
    case "wrong-tool":
      return `another tool was called than the recorded ${step.record.op}`;
    default:
      return step.record.call === undefined
        ? `request ${step.index + 1} (${step.record.op}) differs${where}`
        : `arguments of ${step.record.op} (step ${step.index + 1}) differ${where}`;
  }
}
