import {
  recorder,
  scrubPath,
  servedValue,
  type Address,
  type Answer,
  type Content,
  type DrawKind,
  type Gate,
  type NumberedKind,
  type RunContext,
  type Source,
  type Step,
} from "@reenact/capture/recorder";
import type { Difference } from "../match/difference.ts";
import { type ComparedValue, markedValue } from "../match/value-marks.ts";
import { compareAgentInput } from "./agent-input.ts";
import { uncomparedArguments } from "../match/not-whole.ts";
import { Displaced } from "./displaced.ts";
import { DelayComparison } from "../timers/delay-comparison.ts";
import { type GoneDraws, JournalTape } from "../tape/journal-tape.ts";
import { isCutOff, isPayloadLost, openEnd } from "../tape/cut-off.ts";
import { isBehindJournal } from "../tape/lost-inputs.ts";
import type { MatchedCall } from "../verdict/given-up.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { isAnotherCall } from "../match/another-call.ts";
import type { Asked } from "../match/asked.ts";
import { type Blame, blameOf } from "../match/blame.ts";
import { compare, type Comparison } from "../match/compare.ts";
import { sameContent } from "../match/content-keys.ts";
import { redactionCause } from "../match/redaction-cause.ts";
import { requestsTo } from "../match/requests-to.ts";
import { Requests } from "../match/requests.ts";
import { Siblings } from "../match/siblings.ts";
import { argumentDifferences } from "../match/typed-arguments.ts";
import { ValueAlignment } from "../match/value-alignment.ts";
import { recordedChunks } from "../tape/recorded-chunks.ts";
import type { GateHooks } from "../gate/gate-hooks.ts";
import { ReplayGate } from "../gate/replay-gate.ts";
import { replayMiss } from "./replay-miss.ts";
import { TapeDraws } from "./tape-draws.ts";
import { SlotPlaces } from "../tape/slot-places.ts";
import { hasBody, type TapeOptions, toolPlan } from "../tools/tool-plan.ts";
import { compareNames } from "./compare-names.ts";
import { compareOutcome } from "./compare-outcome.ts";
import { openCalls } from "./open-calls.ts";
import { causeOfExtra, causeOfWrongTool } from "../verdict/call-cause.ts";
import { callName, requestName } from "../tape/call-name.ts";
import { slotOf, type Tape, type RecordedStep } from "../tape/tape.ts";
import { tokensOfOtherKey, unsealed } from "../tape/tape-vault.ts";
import { received } from "../verdict/unfinished.ts";
import { noteGiven } from "../verdict/given-effects.ts";
import { isFaithful } from "../verdict/verdict.ts";

/** A recorded step for a call of now; null: there is none. */
export interface FoundStep {
  readonly named: { readonly path: string; readonly op: string };
  readonly asked: Asked | null;
  readonly taken: RecordedStep | null;
  /** the record has steps of this place */
  readonly isKnownPlace: boolean;
}

/** The record of one run as a source of the shell. */
export class TapeSource implements Source {
  readonly gate: ReplayGate & Gate;
  readonly virtualTimers = true;
  readonly served: ReadonlySet<number>;
  readonly delays: DelayComparison;
  readonly #run: RunContext;
  readonly #tape: Tape;
  readonly #ledger: Ledger;
  readonly #options: TapeOptions;
  readonly #free: ReadonlySet<number>;
  readonly #journal: JournalTape;
  readonly #alignment: ValueAlignment;
  readonly #requests: Requests;
  readonly #places = new SlotPlaces();
  readonly #known = new Map<string, Siblings | null>();
  readonly #created = new Map<string, number>();
  readonly #draws: TapeDraws;
  readonly #displaced = new Displaced();
  readonly #given = new Map<number, unknown>();
  /** calls of this run that a record was found for, by its number */
  readonly calls = new Map<number, MatchedCall & { asked: Asked | null }>();
  readonly #stop: (why: string) => void;
  readonly #end: () => void;
  /** told before each call */
  readonly #begins: () => void;

  constructor(
    run: RunContext,
    tape: Tape,
    ledger: Ledger,
    options: TapeOptions,
    hooks: Omit<GateHooks, "drained" | "endsByItself" | "isCutOff" | "enterRun" | "begun" | "timerOf"> & {
      begins(): void;
    },
    stop: (why: string) => void,
  ) {
    this.#run = run;
    this.#tape = tape;
    this.#ledger = ledger;
    this.#options = options;
    this.#stop = stop;
    this.#end = () => hooks.exhausted();
    this.#begins = () => hooks.begins();
    this.#alignment = new ValueAlignment(() => ledger.edited > 0 || ledger.live > 0);
    this.#requests = new Requests(tape);
    for (const [token, original] of tokensOfOtherKey(tape, recorder.scrubber))
      this.#alignment.know(token, original, this.#requests.scrubber);
    if (run.start.trigger === "function" && options.otherInput !== true)
      compareAgentInput(run, tape, ledger, { requests: this.#requests, alignment: this.#alignment });
    const { served, free } = toolPlan(tape, options);
    this.served = served;
    this.#free = free;
    this.#journal = new JournalTape(tape.journal, new Set([...served, ...free]));
    ledger.position = () => this.gate.interval;
    this.delays = new DelayComparison(this.#journal.delays, {
      hasWakeUps: this.#journal.waypoints.some(({ k }) => k === "f"),
      isRecorded: tape.complete && tape.root.delays === true,
      sectionOf: (interval) => this.#journal.sectionOf(interval),
    });
    this.gate = new ReplayGate(this.#journal, run.journal, free, {
      ...hooks,
      isCutOff: (next) => isCutOff(next, tape),
      get endsByItself() {
        return run.answered !== null && run.start.trigger !== "function" && run.idleMs < Infinity;
      },
      drained: tape.root.trigger === "process" && tape.root.process?.drained === true,
      enterRun: (fn) => run.enter(fn),
      begun: (scope) => this.#created.get(`o${scope}`) ?? 0,
      timerOf: (scope, recorded) => this.delays.timerOf(scope, recorded),
    });
    this.#draws = new TapeDraws(run, tape, ledger, { journal: this.#journal, gate: this.gate, free, end: this.#end });
  }

  begin(step: Step, content: Content | null, address?: Address): Answer {
    this.#begins();
    const { named, asked, taken, isKnownPlace } = this.find(step, content, address);
    if (taken === null) return this.#miss(step, isKnownPlace, asked);
    const due = this.#dueBefore(taken, asked);
    if (due !== null) return this.#miss(step, false, asked, due);
    this.#noteWrongTool(step, taken, asked);
    compareNames(taken, named, this.#alignment, this.#ledger);
    if (isBehindJournal(this.#tape, taken.index)) this.#end();
    this.#run.renumbered(step, taken.index);
    const ahead = this.gate.aheadOf(taken.index);
    const leftOut = this.gate.started(taken.index);
    this.calls.set(taken.index, { asked, step: taken, now: step });
    this.#judge(taken, asked, step, this.gate.degraded ? [] : leftOut);
    if (ahead !== null) this.#ledger.early(taken, ahead, `before ${received(ahead, this.#tape)}`);
    return this.answer(step, taken);
  }

  /** The recorded step that a call would be served from. */
  find(step: Step, content: Content | null, address?: Address): FoundStep {
    const { scrubber } = this.#requests;
    const named = { path: scrubPath(scrubber, step.path), op: scrubber.scrub(step.op).text };
    const siblings = this.#siblings(this.#places.key(named.path, named.op));
    const numbered = siblings?.numbered(step) ?? null;
    const asked = content === null ? null : this.#requests.read(content, step.operation, numbered);
    const isUnread = content === null && address !== undefined;
    const found = isUnread ? this.#unread(address, step, numbered) : (siblings?.find(step, asked) ?? null);
    const taken = this.#sameTool(step, asked, found) ?? found ?? this.#expectedTool(step);
    return { named, asked, taken, isKnownPlace: siblings !== null };
  }

  /** Whether this recorded step is what comes next. */
  isDue({ index }: RecordedStep): boolean {
    const { expected } = this.gate;
    return (expected === null || expected === index) && !this.gate.degraded && this.gate.aheadOf(index) === null;
  }

  /** Whether a call asks for just what was recorded. */
  isAsRecorded(step: Step, { asked, taken }: FoundStep): boolean {
    if (asked === null || taken === null) return false;
    const { scrubber, asRecorded } = this.#requests;
    const context = { alignment: this.#alignment, scrubber, asRecorded, operation: step.operation };
    return isFaithful(compare(asked, taken, context).verdict);
  }

  /** What the recorded step holds, or leave to run a body live. */
  answer(step: Step, taken: RecordedStep): Answer {
    const served = unsealed(taken, this.#tape);
    const { exchange, call } = served.record;
    if (exchange === undefined && call !== undefined && this.#runs(taken)) {
      if (this.#free.has(taken.index)) this.#ledger.edited++;
      return { from: "live" };
    }
    const isLost = isPayloadLost(taken, this.#tape);
    if (isLost) this.#end();
    if (exchange !== undefined && !isLost)
      return {
        from: "exchange",
        exchange,
        body: () => recordedChunks(served),
        beyond: () => replayMiss(slotOf(step), "the recorded run did not read its answer any further"),
        ...this.#requests.cleanTexts(taken),
        ...openEnd(this.#tape),
      };
    if (call === undefined || isLost)
      return { from: "miss", error: replayMiss(slotOf(step), "its payload was lost when the recorded process died") };
    if (step.source !== null && taken.record.source !== undefined && step.source !== taken.record.source)
      this.#ledger.sourceChanged(taken);
    noteGiven(taken, this.#ledger);
    const open = call.result === undefined && call.error === undefined;
    return {
      from: "call",
      call,
      open,
      value: () => this.#value(taken),
      ...(!this.#tape.complete && { over: this.#end }),
    };
  }

  /** Another recorded call of this tool with exactly these arguments, if the arguments of `own` differ. */
  #sameTool(step: Step, asked: Asked | null, own: RecordedStep | null): RecordedStep | null {
    if (step.kind !== "TOOL" || asked === null || (own !== null && sameContent(asked, own))) return null;
    return (
      openCalls(step, this.#tape, this.#ledger).find((each) => !this.#runs(each) && sameContent(asked, each)) ?? null
    );
  }

  /**
   * The recorded call of this tool that is due now. Of tool calls that one answer asked for the arguments say which is
   * which: one with other arguments has another slot.
   */
  #expectedTool(step: Step): RecordedStep | null {
    if (step.kind !== "TOOL" || this.gate.degraded) return null;
    return openCalls(step, this.#tape, this.#ledger).find(({ index }) => this.gate.aheadOf(index) === null) ?? null;
  }

  /**
   * What a request is served from whose body is not known yet: the recorded one to this address that is due now, under
   * whatever operation, since the body may have told that. One to another address only where it stands in the very place.
   */
  #unread(address: Address, step: Step, own: RecordedStep | null): RecordedStep | null {
    if (this.gate.degraded) return own;
    const open = this.#tape.ordered.filter(({ index }) => !this.#ledger.met(index));
    const found = requestsTo(address, step, open, this.#requests);
    const due = found.filter(({ index }) => this.gate.aheadOf(index) === null);
    const isOwn = own !== null && (found.includes(own) || this.gate.expected === own.index);
    return due.find(({ record }) => record.op === step.op) ?? due[0] ?? (isOwn ? own : null);
  }

  /** The step that is due now, where this request is another call than the one in whose slot it stands. */
  #dueBefore(taken: RecordedStep, asked: Asked | null): RecordedStep | null {
    const { expected } = this.gate;
    if (asked === null || expected === null || expected === taken.index || this.gate.aheadOf(taken.index) === null)
      return null;
    return !sameContent(asked, taken) && isAnotherCall(asked, taken) ? (this.#tape.steps.get(expected) ?? null) : null;
  }

  /** Whether two values in their typed encoding are the same, redacted values by their tokens. */
  isSameValue(recorded: string, now: string): boolean {
    const isSame = argumentDifferences(recorded, now, this.#alignment.same).length === 0;
    this.#ledger.callsByPlace = this.#alignment.byPlace;
    return isSame;
  }

  /** Where two values that are the same hold other redacted ones; null: nowhere. */
  markedValue(marks: ComparedValue): Difference | null {
    const found = markedValue(marks, this.#alignment);
    this.#ledger.callsByPlace = this.#alignment.byPlace;
    return found;
  }

  late(step: Step, content: Content): void {
    const known = this.calls.get(step.index);
    if (known === undefined || known.asked !== null) return;
    const asked = this.#requests.read(content, step.operation, null);
    const { verdict, blame } = this.#compare(asked, known.step, step.operation);
    this.#ledger.revise(known.step, verdict, blame);
  }

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional = false): T {
    return this.#draws.draw(kind, scope, real, optional);
  }

  delay(ms: number, scope: number, what: string, step?: Step): void {
    this.#run.journal.draw("W", scope, ms);
    const { interval, expected, degraded } = this.gate;
    if (!degraded && !this.#free.has(scope))
      this.delays.asked(
        ms,
        { interval, scope, expected, by: step?.index ?? null, timer: (this.#created.get(`t${scope}`) ?? 0) - 1 },
        what,
      );
  }

  next(kind: NumberedKind, scope: number): number {
    const key = kind + scope;
    const n = this.#created.get(key) ?? 0;
    this.#created.set(key, n + 1);
    return n;
  }

  ran(step: Step, outcome: { value: unknown } | { error: unknown }): void {
    this.gate.drop(step.index);
    const known = this.calls.get(step.index);
    if (known !== undefined && this.#free.has(step.index)) compareOutcome(known.step, outcome, this.#ledger);
  }

  /** Recorded readings that this run did not make. */
  get goneReadings(): GoneDraws[] {
    return this.gate.degraded ? [] : this.#journal.gone(this.gate.interval);
  }

  translate(token: string): string {
    return this.#alignment.translate(token);
  }

  readonly #runs = ({ index }: RecordedStep): boolean => !this.served.has(index);

  #siblings(place: string): Siblings | null {
    let known = this.#known.get(place);
    if (known === undefined) {
      const steps = this.#tape.places.get(place);
      known = steps === undefined ? null : new Siblings(steps, this.#ledger);
      this.#known.set(place, known);
    }
    return known;
  }

  /** Served from a later record though another tool is due: the arguments, too, are not those that were recorded there. */
  #noteWrongTool(step: Step, taken: RecordedStep, asked: Asked | null): void {
    const expected = this.#tape.steps.get(this.gate.expected ?? -1);
    if (step.kind !== "TOOL" || expected?.kind !== "TOOL" || expected.record.op === taken.record.op) return;
    if (asked === null || this.gate.degraded || sameContent(asked, taken)) return;
    const { index, record } = expected;
    this.#ledger.diverged(index + 1, slotOf(record), "wrong-tool", null, causeOfWrongTool(step.name, expected));
  }

  /** `before`: the recorded step that is due instead. */
  #miss(step: Step, known: boolean, asked: Asked | null, before: RecordedStep | null = null): Answer {
    this.#noteInserted(asked, step.op);
    const slot = slotOf(step);
    const expected = this.#tape.steps.get(this.gate.expected ?? -1);
    if (step.kind === "TOOL" && expected?.kind === "TOOL" && expected.record.op !== step.op)
      this.#ledger.extra(step, "wrong-tool", causeOfWrongTool(step.name, expected), expected);
    else this.#ledger.extra(step, known ? "exhausted" : "extra", causeOfExtra(callName(step), before));
    if (this.#options.mode === "strict") this.#stop(slot);
    if (hasBody(step.kind) && this.#options.runTools.has(step.name)) return { from: "live" };
    return {
      from: "miss",
      error: replayMiss(slot, known ? "all recorded calls of this kind are used" : "the recorded run has no such call"),
    };
  }

  #judge(step: RecordedStep, asked: Asked | null, call: Step, leftOut: readonly number[]): void {
    if (asked === null) return this.#ledger.served(step, "equivalent", null, leftOut);
    const { verdict, blame } = this.#compare(asked, step, call.operation);
    if (!isFaithful(verdict)) this.#noteInserted(asked, step.record.op, step);
    this.#ledger.served(step, verdict, blame, leftOut);
    if (!isFaithful(verdict)) this.#displaced.add(step, asked, requestName(call));
    if (this.#options.mode === "strict" && this.#ledger.divergence !== null) this.#stop(slotOf(step.record));
  }

  /**
   * A call was served from the record of this one, which comes only now: that call was one more, or, where it asked for what
   * this one is served from (`instead`), the two have changed places.
   */
  #noteInserted(asked: Asked | null, op: string, instead: RecordedStep | null = null): void {
    const earlier = this.#displaced.find(asked, op);
    if (earlier === null) return;
    if (instead !== null && sameContent(earlier.asked, instead)) this.#ledger.exchanged(earlier.step, instead);
    else this.#ledger.inserted(earlier.step, earlier.name);
  }

  #compare(
    asked: Asked,
    step: RecordedStep,
    operation: Step["operation"],
  ): Pick<Comparison, "verdict"> & { blame: Blame | null } {
    const { scrubber, asRecorded } = this.#requests;
    const context = { alignment: this.#alignment, scrubber, asRecorded, operation };
    const { verdict, differences, notes } = compare(asked, step, context);
    for (const what of notes) this.#ledger.noted(what);
    this.#ledger.note(uncomparedArguments(step));
    this.#ledger.callsByPlace = this.#alignment.byPlace;
    this.#ledger.idsByPlace = this.#alignment.idsByPlace;
    return {
      verdict,
      blame: blameOf(differences, (first) => redactionCause(first, step, this.#tape, scrubber)),
    };
  }

  /** The same object returned twice is served as the same object. */
  #value(step: RecordedStep): unknown {
    const { call } = unsealed(step, this.#tape).record;
    if (call === undefined) return undefined;
    if (this.#given.has(step.index)) return this.#given.get(step.index);
    const earlier = call.same === undefined ? undefined : this.#given.get(call.same);
    const value = earlier ?? servedValue(call.error ?? call.result ?? '""');
    this.#given.set(step.index, value);
    return value;
  }
}
