import type { Step } from "@reenact/capture/recorder";
import { causeOf, causeOfExtra } from "./call-cause.ts";
import type { Call, CallEntry as Entry } from "./call-entry.ts";
import { ComparedPart } from "./compared-part.ts";
import { divergenceOf } from "./divergence-of.ts";
import { nextFinding } from "./finding-order.ts";
import { LaterFindings } from "./later-findings.ts";
import type { Waypoint } from "../tape/journal-tape.ts";
import type { Blame } from "../match/blame.ts";
import type { Progress } from "./progress.ts";
import type { Refusal } from "../guard/refusals.ts";
import { callName, stepName } from "../tape/call-name.ts";
import { nameOfSlot } from "../tape/slot-name.ts";
import { isBeneath, slotOf, type Tape, type RecordedStep } from "../tape/tape.ts";
import { hasBody } from "../tools/tool-plan.ts";
import { causeOfDraw, type Draw, explainsDraw, type FoundDraw } from "../serve/unexpected-draw.ts";
import { type CallVerdict, type Divergence, type Finding, isFaithful } from "./verdict.ts";

/** Everything that a replay found out about one run, in the order in which it happened. */
export class Ledger {
  readonly tape: Tape;
  /** names of served tools whose source has changed */
  readonly changedTools = new Set<string>();
  readonly findings = new Set<Finding>();
  readonly notes: string[] = [];
  readonly refused: Refusal[] = [];
  /** the part of the run in which a difference is a divergence */
  readonly compared: ComparedPart;
  /** ends a replay that makes no progress */
  progress: Progress | null = null;
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
  /** the first divergence is a call that came before this delivery */
  #early: { delivery: Waypoint; entry: Entry; verdict: CallVerdict } | null = null;
  /** number of the last step that the program left out and went on */
  #leftOut = -1;
  #firstPosition = 0;
  /** the first divergence is a step that did not start where it was expected; it may start later */
  #late: { step: RecordedStep; first: Divergence; verdict: string; cause: string; calls: number } | null = null;
  /** the first divergence is a timer that the record does not have: a call more behind it is what was added */
  #isAddedTimer = false;
  #drawn: FoundDraw | null = null;
  readonly #later = new LaterFindings();
  #ownError: { cause: string; isEnough: boolean; hint: string } | null = null;
  /** reports the wait that is gone before a step which did not start, in case that the step starts later */
  onlyWait = (): void => {};
  /** the program did not catch what a call that the record does not have threw */
  endedByMiss = false;
  /** gets each call as it comes: what later calls show may change its verdict */
  onCall: (call: Call) => void = () => {};
  /** deliveries so far */
  position = (): number => 0;
  /** redacted values that were compared by their place only, since their tokens say nothing of them */
  callsByPlace = 0;
  /** the same of outputs, files and databases */
  effectsByPlace = 0;
  /** ids of a provider's form that were compared by their place only, since a live step has minted others */
  idsByPlace = 0;
  live = 0;
  /** ran although recorded, by `--run-tool` */
  edited = 0;

  /** `from`: number of the first step that is compared, from 0 */
  constructor(tape: Tape, from = 0) {
    this.tape = tape;
    this.compared = new ComparedPart(from);
  }

  /** redacted values that were compared by their place only */
  get byPlace(): number {
    return this.callsByPlace + this.effectsByPlace;
  }

  get divergence(): Divergence | null {
    const drawn = this.#drawn;
    if (drawn === null || (this.#first !== null && explainsDraw(this.#first, this.#firstPosition, drawn)))
      return this.#first;
    return this.#divergence(null, null, "draw", null, causeOfDraw(drawn));
  }

  get calls(): Call[] {
    return this.#entries.map(({ step, slot, attempt, verdict }) => ({ step, slot, attempt, verdict }));
  }

  met(index: number): boolean {
    return this.#met.has(index);
  }

  /** `leftOut`: recorded steps that should have started before it and have not. */
  served(step: RecordedStep, verdict: CallVerdict, difference: Blame | null, leftOut: readonly number[] = []): void {
    this.#met.add(step.index);
    this.compared.met(step.index);
    this.progress?.served();
    const early = leftOut.length > 0 && isFaithful(verdict);
    const now = early ? "reordered" : verdict;
    const entry = this.#add(
      step.index + 1,
      slotOf(step.record),
      step.record.attempt,
      now,
      early ? { steps: leftOut, otherwise: verdict } : null,
    );
    entry.leftOut = leftOut;
    this.#byStep.set(step.index, entry);
    if (!isFaithful(now)) this.#entryDiverged(entry, difference, causeOf(this.tape, step, now, difference));
  }

  /** A step that was served has started before a delivery that came first when it was recorded. */
  early(step: RecordedStep, delivery: Waypoint, when: string): void {
    const entry = this.#byStep.get(step.index);
    if (entry === undefined || !isFaithful(entry.verdict)) return;
    const early = { delivery, entry, verdict: entry.verdict };
    entry.verdict = "reordered";
    const cause = `${stepName(step)} (step ${step.index + 1}) was called ${when}; when recorded, after it`;
    if (this.#entryDiverged(entry, null, cause)) this.#early = early;
  }

  /** The run never asked for these deliveries: a call that came before one of them has not overtaken it. */
  neverAsked(deliveries: ReadonlySet<Waypoint>): void {
    if (this.#early === null || !deliveries.has(this.#early.delivery)) return;
    this.#early.entry.verdict = this.#early.verdict;
    this.#early = null;
    this.#first = null;
    this.#firstEntry = null;
  }

  /** `instead`: the tool that the recorded run called here. */
  extra(
    step: Step,
    verdict: "extra" | "exhausted" | "wrong-tool",
    cause: string,
    instead: RecordedStep | null = null,
  ): void {
    const entry = this.#add(
      step.index + 1,
      slotOf(step),
      step.attempt,
      verdict,
      instead === null ? null : { steps: [instead.index], otherwise: "extra" },
    );
    entry.name = callName(step);
    if (this.#isAddedTimer) this.#first = null;
    this.#isAddedTimer = false;
    this.#entryDiverged(entry, null, cause);
    this.progress?.missed(`${step.path} ${step.op}`, slotOf(step));
  }

  /** A verdict that was given too early: the bytes of a form came later. */
  revise(step: RecordedStep, verdict: CallVerdict, difference: Blame | null): void {
    const entry = this.#byStep.get(step.index);
    if (entry === undefined || entry.verdict === "reordered") return;
    entry.verdict = verdict;
    if (!isFaithful(verdict)) this.#entryDiverged(entry, difference, causeOf(this.tape, step, verdict, difference));
  }

  /** It was served too early: the bytes of the request came later, and ask for something else. */
  withdraw(step: RecordedStep): void {
    const at = this.#entries.findIndex((entry) => entry === this.#byStep.get(step.index));
    if (at !== -1) this.#entries.splice(at, 1);
    for (const each of [this.#byStep, this.#met]) each.delete(step.index);
  }

  /** The call that was served from this step is one more than recorded: its own comes later. `name`: that call */
  inserted(step: RecordedStep, name: string): void {
    const entry = this.#byStep.get(step.index);
    const isFirst = entry === this.#firstEntry || this.#isAddedTimer;
    if (entry === undefined || !isFirst || entry.verdict === "extra") return;
    this.#isAddedTimer = false;
    entry.verdict = "extra";
    const [left = step.index] = entry.leftOut;
    const cause = `${name} was called before step ${left + 1}; the recorded run has no such call there`;
    this.#first = this.#divergence(left + 1, entry.slot, "extra", null, cause);
  }

  /** The call that was served from this step asked for what came later, and the other way round. */
  exchanged(step: RecordedStep, other: RecordedStep): void {
    const entry = this.#byStep.get(step.index);
    if (entry === undefined || entry !== this.#firstEntry) return;
    entry.verdict = "reordered";
    const cause = `${stepName(other)} (step ${other.index + 1}) was called before ${stepName(step)} (step ${step.index + 1}); when recorded, after it`;
    this.#first = this.#divergence(entry.step, entry.slot, "reordered", null, cause);
  }

  /** A difference that changes nothing about the answer: it is named, and is no divergence. */
  noted(what: string): void {
    this.findings.add("noted-difference");
    this.note(what);
  }

  /** Said once, however often it happens; null: nothing. */
  note(text: string | null): void {
    if (text !== null && !this.notes.includes(text)) this.notes.push(text);
  }

  /** The source of a function that was served is not what it was. */
  sourceChanged({ kind, name }: RecordedStep): void {
    this.findings.add("source-changed");
    if (hasBody(kind)) this.changedTools.add(name);
  }

  /** A tool's body ran and ended otherwise: what differs later differs because of it. */
  ranOtherwise(step: RecordedStep, what: string): void {
    this.#otherwise.push({ step: step.index + 1, what });
  }

  /** The first one is kept until it is known whether a call explains it. */
  drew(draw: Draw): void {
    if (this.#isSettled || this.#drawn !== null) return;
    if (this.compared.passesOver(null, "draw", () => causeOfDraw(draw))) return;
    const drawn = { ...draw, position: this.position() };
    if (this.#first !== null) this.#later.drawn ??= drawn;
    else [this.found, this.#drawn] = [Math.min(this.found, nextFinding()), drawn];
  }

  /** The program has left out this step and went on: an error that ends the run later is not why the step is missing. */
  wentOnWithout(step: RecordedStep): void {
    this.#leftOut = Math.max(this.#leftOut, step.index);
  }

  /** A step that is due did not start. `cause`: why, where it turns out to start later, after those that were called before it. */
  notStarted(step: RecordedStep, missing: string, verdict: "order" | "unfinished", cause: string): void {
    if (this.#first !== null) return;
    this.diverged(step.index + 1, slotOf(step.record), "missing", null, missing);
    if (this.#first !== null) this.#late = { step, first: this.#first, verdict, cause, calls: this.#entries.length };
  }

  /** A step that was said to be missing and started later was overtaken, or what it waited for came otherwise. */
  #settleLate(): void {
    if (this.#late === null || this.#first !== this.#late.first) return;
    const { step, verdict, cause, calls } = this.#late;
    const own = this.#byStep.get(step.index);
    const next = this.#entries[calls];
    // the program has called something else first, or ended for it
    if (
      (next?.verdict === "extra" || next?.verdict === "exhausted") &&
      (own !== undefined || this.#ownError !== null || this.endedByMiss)
    ) {
      const text = causeOfExtra(next.name, step);
      this.#first = this.#divergence(step.index + 1, next.slot, next.verdict, null, text);
      return;
    }
    if (own === undefined || (verdict === "order" && !this.#cameAsRecorded(step.index))) return;
    const earlier = this.#entries
      .slice(0, this.#entries.indexOf(own))
      .find((each) => each.step > own.step && this.#byStep.get(each.step - 1) === each);
    if (earlier === undefined) {
      this.#first = null;
      this.onlyWait();
      this.#first ??= this.#divergence(own.step, own.slot, verdict, null, cause);
      return;
    }
    const name = (of: Entry): string => `${this.tape.steps.get(of.step - 1)?.record.op} (step ${of.step})`;
    const text = `${name(earlier)} was called before ${name(own)}; when recorded, after it`;
    this.#first = this.#divergence(own.step, own.slot, "reordered", null, text);
    earlier.verdict = "reordered";
  }

  /** An error ended the run: what is missing behind it is missing because of it. `isEnough`: it is a divergence by itself; `hint`: what else may be behind it. */
  endedWith(cause: string, isEnough: boolean, hint: string): void {
    this.#ownError = { cause, isEnough, hint };
  }

  /**
   * The first one stays: it is upstream of all others. `position`: after so many deliveries the runs went apart, where that is
   * known only later.
   */
  diverged(
    step: number | null,
    slot: string | null,
    verdict: string,
    difference: Blame | null,
    cause: string,
    position: number = this.position(),
    entry: Entry | null = null,
  ): void {
    if (this.#isSettled || this.compared.passesOver(step, verdict, () => cause)) return;
    const divergence = this.#divergence(step, slot, verdict, difference, cause);
    if (this.#first !== null) return this.#later.add({ divergence, entry, position });
    this.#firstEntry = entry ?? this.#firstEntry;
    this.found = Math.min(this.found, nextFinding());
    this.#firstPosition = position;
    this.#isAddedTimer = verdict === "delay-changed" && difference?.recorded === null;
    this.#first = divergence;
  }

  #divergence(
    step: number | null,
    slot: string | null,
    verdict: string,
    difference: Blame | null,
    cause: string,
  ): Divergence {
    const upstream = this.#otherwise.findLast((o) => step === null || o.step < step)?.what;
    const isRecorded = step !== null && step <= this.tape.steps.size;
    return divergenceOf({ step, slot, verdict, cause }, difference, { runId: this.tape.runId, upstream, isRecorded });
  }

  #add(step: number, slot: string, attempt: number, verdict: CallVerdict, instead: Entry["instead"]): Entry {
    const entry: Entry = { step, slot, attempt, verdict, instead, leftOut: [], name: nameOfSlot(slot) };
    this.onCall({ step, slot, attempt, verdict });
    this.#entries.push(entry);
    return entry;
  }

  /** Whether it is the first divergence. */
  #entryDiverged(entry: Entry, difference: Blame | null, cause: string): boolean {
    const isFirst = this.#first === null;
    this.diverged(entry.step, entry.slot, entry.verdict, difference, cause, this.position(), entry);
    return isFirst && this.#first !== null;
  }

  /** The first divergence stays. It does not where it is a call that came before one that is not compared, and that never comes. */
  get #isSettled(): boolean {
    return this.#first !== null && !(this.#firstEntry?.leftOut.some((index) => index < this.compared.from) ?? false);
  }

  /** The first divergence was none: the next one is. */
  #takeLater(): void {
    const next = this.#later.first;
    this.#drawn ??= this.#later.drawn;
    if (next !== undefined)
      [this.#first, this.#firstEntry, this.#firstPosition] = [next.divergence, next.entry, next.position];
  }

  /** What came instead of steps: before them if they came later as recorded, else they are what is missing. */
  #settleInstead(): void {
    for (const entry of this.#entries) {
      if (entry.instead === null) continue;
      const { steps, otherwise } = entry.instead;
      const came = steps.some((index) => this.#cameAsRecorded(index));
      if (entry.verdict === "reordered" ? came : !came) continue;
      entry.verdict = otherwise;
      if (entry !== this.#firstEntry || this.#first === null) continue;
      const [left] = steps;
      if (!isFaithful(otherwise)) this.#first = { ...this.#first, verdict: otherwise };
      else if (left !== undefined) this.#first = null;
      const step = this.tape.steps.get(left ?? -1);
      if (this.#first === null && step !== undefined) this.#missing(step);
    }
    if (this.#first === null) this.#takeLater();
  }

  /** Another call may have taken the place of one that the program does not make any more. */
  #cameAsRecorded(index: number): boolean {
    const entry = this.#byStep.get(index);
    return entry === undefined ? this.#met.has(index) : entry.verdict === "reordered" || isFaithful(entry.verdict);
  }

  #missing(step: RecordedStep): void {
    const slot = slotOf(step.record);
    if (this.#ownError !== null && step.index > this.#leftOut)
      this.diverged(
        step.index + 1,
        slot,
        "error",
        null,
        `${this.#ownError.cause}, before step ${step.index + 1} (${stepName(step)})${this.#ownError.hint}`,
      );
    // an effect without which the program went on is not why one call is missing
    const wentOn = [...this.#met].some((index) => index > step.index);
    const [refused] = wentOn ? [] : this.refused;
    const why = refused === undefined ? "" : ` (${refused.kind} ${refused.target} was refused)`;
    const cause = `the recorded run called ${stepName(step)} here; this run never did${why}`;
    this.diverged(step.index + 1, slot, "missing", null, cause);
  }

  /** Recorded calls that were never asked. Only those whose ancestors ran, and that had ended, can be missing. */
  close(servedTools: ReadonlySet<number>, openAtEnd: (step: RecordedStep) => boolean): number {
    let missing = 0;
    this.#settleLate();
    this.#settleInstead();
    // a call that differs behind one that never came differs because of it
    const behind = this.#firstEntry?.leftOut.some((index) => !this.#met.has(index)) === true ? this.#first : null;
    if (behind !== null) this.#first = null;
    for (const step of this.tape.ordered) {
      if (this.#met.has(step.index)) continue;
      const covered = isBeneath(this.tape, step, servedTools);
      if (!covered && openAtEnd(step)) continue;
      this.#add(step.index + 1, slotOf(step.record), step.record.attempt, covered ? "covered" : "missing", null);
      if (covered) continue;
      missing++;
      this.#missing(step);
    }
    this.#first ??= behind;
    if (this.#ownError?.isEnough === true)
      this.diverged(null, null, "error", null, this.#ownError.cause + this.#ownError.hint);
    this.#entries.sort((a, b) => a.step - b.step);
    return missing;
  }
}
