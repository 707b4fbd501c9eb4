import type { JournalPart } from "@reenact/envelope";
import { noteAgent } from "../inbound/agent-signs.ts";
import { PendingCount, PendingToolCalls } from "./pending-tool-calls.ts";
import { BoundedJournal } from "./bounded-journal.ts";
import { type RunContext, type RunFrame, setProcessFrame, within } from "./context.ts";
import { spanWithoutPayload } from "../span/span-without-payload.ts";
import type { DraftText, StepDraft } from "../span/draft.ts";
import { keepOriginals } from "../redact/keep-originals.ts";
import type { Dialect } from "../span/dialect.ts";
import { FinishQueue } from "../span/finish-queue.ts";
import { guarded } from "../fault/faults.ts";
import { randomHex } from "./ids.ts";
import { UnrecordedEffects } from "../leaks/unrecorded-effects.ts";
import { OpenedDatabases } from "../leaks/opened-databases.ts";
import { WrittenFiles } from "../leaks/written-files.ts";
import { LiveSource } from "../source/live-source.ts";
import { epochNow } from "../patch/originals.ts";
import { Occurrences } from "./path.ts";
import { prepareStep } from "../span/prepare-step.ts";
import { hasEarlyRead } from "../redact/read-ahead.ts";
import { isLong } from "../redact/read-elsewhere.ts";
import { draftOf, readLater } from "../redact/read-later.ts";
import { leave, Prelude, PRELUDE_JOURNAL_BYTES } from "./prelude.ts";
import { recorder } from "./recorder.ts";
import { Retries } from "../span/retries.ts";
import { FROM_ENVIRONMENT, MetadataLog } from "./run-metadata.ts";
import { factsOf } from "./run-facts.ts";
import type { RunParts } from "./run-parts.ts";
import { RunRoot } from "./run-root.ts";
import type { RunEnd, RunStart } from "./run-start.ts";
import { hasReader, type Scrubber } from "../redact/scrubber.ts";
import { scrubMetadata } from "../redact/scrub-metadata.ts";
import type { RunMetadata, Sink } from "./sink.ts";
import type { Source } from "../source/source.ts";
import { stepFacts } from "../span/step-facts.ts";
import type { Step } from "../span/step.ts";
import { markAgenticFlow } from "../ambient/timers/timer-flow.ts";
import { type UnderWay, writeRequestLater, writeValuesSoFar, writeYield } from "../span/write-under-way.ts";

/** Journal of a run: an agent that draws more than this in its run is not replayed past it. */
const JOURNAL_BYTES = 64 * 1024 * 1024;

/** One execution of an agent. It is active, and written at all, from its first agentic step on. */
export class Run implements RunContext {
  readonly id = randomHex(16);
  readonly traceId: string;
  readonly rootSpanId = randomHex(8);
  readonly start: RunStart;
  readonly started = epochNow();
  readonly journal: BoundedJournal;
  readonly occurrences = new Occurrences();
  readonly retries = new Retries();
  readonly leaks = new UnrecordedEffects();
  readonly files = new WrittenFiles((path) => recorder.realPath(path));
  readonly databases = new OpenedDatabases((path) => recorder.realPath(path));
  readonly metadata = new MetadataLog();
  readonly lossy: string[] = [];
  readonly ending = new Set<(run: RunContext) => void>();
  /** objects that tools returned, by identity, to the step that returned them */
  readonly returned = new WeakMap<object, number>();
  readonly frame: RunFrame;
  readonly source: Source;
  isActive = false;
  over = false;
  /** no clock, random value, timer or operation is recorded any more: its journal is full */
  inputsEnded = false;
  /** how the run ended; null while it goes on */
  outcome: RunEnd | null = null;
  /** how it ends at the latest with the process: it has returned what is still being read */
  answered: RunEnd | null = null;
  readonly #own: RunParts;
  readonly #pendingToolCalls = new PendingCount();
  readonly #prelude = new Prelude((what) => this.rest(what));
  readonly #open = new Set<Step>();
  readonly #underWay: UnderWay = {
    scrubber: () => (this.#own.sink === undefined ? this.#scrubber : null),
    goesOn: () => this.isActive && !this.over,
    to: (write) => this.#to(write),
  };
  readonly #finishing: FinishQueue;
  #waiting: ((sink: Sink) => unknown)[] = [];
  /** why the prelude was dropped */
  #dropped = "";
  readonly #root: RunRoot;
  #steps = 0;

  constructor(start: RunStart, own: RunParts = {}) {
    this.start = start;
    this.#own = own;
    this.traceId = this.id;
    const inactive = { events: recorder.maxEvents, bytes: PRELUDE_JOURNAL_BYTES };
    this.journal = new BoundedJournal(inactive, (reached) => this.#journalFull(reached));
    this.frame = {
      run: this,
      path: "",
      scope: -1,
      span: this.rootSpanId,
      pendingToolCalls: this.newPendingToolCalls(),
      outer: null,
    };
    // in attached mode no work is deferred: the user's set-up gives no notice before it shuts down
    this.#finishing = new FinishQueue({
      finish: (step) => this.#write(step),
      prepare: (step) => this.#prepared(step),
      isRead: (step) => hasEarlyRead(step, this.#scrubber),
      ...(own.sink === undefined ? { isSlow: (step) => this.#isSlow(step) } : { inTurnBytes: Infinity }),
    });
    this.#root = new RunRoot(this, {
      isAttached: own.sink !== undefined,
      scrubber: () => this.#scrubber,
      unrecordedTools: () => this.#pendingToolCalls.unrecorded,
      to: (write) => this.#to(write),
      whenWritten: (done) => this.#finishing.whenEmpty(done),
    });
    if (own.sink === undefined && recorder.session !== null && !recorder.isReplay)
      this.metadata.add({ session: recorder.session }, FROM_ENVIRONMENT);
    this.source = own.source?.(this) ?? recorder.sourceFor?.(this) ?? new LiveSource(this);
  }

  get dialects(): readonly Dialect[] {
    return this.#own.dialects ?? recorder.dialects;
  }

  get #scrubber(): Scrubber | null {
    return this.#own.sink === undefined ? recorder.scrubber : (this.#own.scrubber ?? null);
  }

  /** Whether another thread encodes large values of this run. */
  get hasReader(): boolean {
    const isRecorded = !recorder.isReplay && !this.source.virtualTimers;
    return this.isActive && isRecorded && this.#own.sink === undefined && hasReader(recorder.scrubber);
  }

  #isSlow(step: Step): boolean {
    const scrubber = this.#scrubber;
    if (!this.isActive || this.over || scrubber === null) return false;
    return scrubber.answersLater === true || isLong(step, scrubber);
  }

  /** Nothing of a run that has not started is redacted: that may need a key. */
  #prepared(step: Step): Promise<void> | null {
    const scrubber = this.#scrubber;
    if (scrubber === null || this.#own.sink !== undefined || !this.isActive) return null;
    return prepareStep(step, scrubber) ?? readLater(step, scrubber);
  }

  get steps(): number {
    return this.#steps;
  }

  get isSuspended(): boolean {
    return recorder.suspendsInput && [...this.#open].some(({ op }) => op.startsWith("input:"));
  }

  get openSteps(): number {
    return this.#open.size;
  }

  get idleMs(): number {
    return Math.max(0, ...[...this.#open].map(({ idleMs }) => idleMs?.() ?? Infinity));
  }

  nextStep(): number {
    return this.#steps++;
  }

  /** The source has given a step its recorded number; numbers of later steps must not collide with it. */
  renumbered(step: Step, index: number): void {
    if (step.index === this.#steps - 1) this.#steps--;
    step.index = index;
    this.#steps = Math.max(this.#steps, index + 1);
  }

  newPendingToolCalls(): PendingToolCalls {
    return new PendingToolCalls(this.#pendingToolCalls);
  }

  /** Runs our own callback in the context of the run's root. */
  enter(fn: () => void): void {
    within(this.frame, fn);
  }

  /** Not started, and its prelude was dropped: it takes nothing but an agentic step. */
  get resting(): boolean {
    return this.inputsEnded && !this.isActive;
  }

  /** Before the first agentic step gets its number and its place in the journal. */
  wake(): void {
    if (this.isActive) return;
    const bound = { events: recorder.maxEvents, bytes: JOURNAL_BYTES };
    this.journal.raise(bound);
    if (!this.inputsEnded) return;
    this.lossy.push(`prelude: recorded from step ${this.#steps + 1} on: ${this.#dropped}`);
    this.inputsEnded = false;
  }

  activate(): void {
    if (this.isActive) return;
    this.wake();
    noteAgent();
    this.start.activated?.();
    this.isActive = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#to((sink) => sink.started(factsOf(this)));
    const metadata = this.metadata.all();
    if (metadata !== null) this.#tell(metadata);
    this.#root.input();
    for (const write of waiting) this.#to(write);
    if (this.answered !== null) this.answer(this.answered, () => false);
  }

  /**
   * Writes a run that took no agentic step, because `agent()` calls of its process are written: it holds what the
   * process does around them. Returns false if it took one, is over, or has dropped what came first.
   */
  surround(): boolean {
    if (this.isActive || this.over || this.inputsEnded) return false;
    this.start.trigger = "surrounding";
    this.activate();
    return true;
  }

  #journalFull(reached: string): void {
    // what a replay draws is bound by its record
    if (this.source.virtualTimers || this.isActive) {
      this.lossy.push(`journal: cap of ${reached} reached`);
      this.inputsEnded = !this.source.virtualTimers;
    } else this.rest(`more than ${reached} (clock, random, timers, operations)`);
  }

  /** Drops what was kept of a run that has not started: it must not fill the memory of a program that calls no model. */
  rest(what: string): void {
    if (this.isActive || this.inputsEnded || this.#own.sink !== undefined || this.source.virtualTimers) return;
    this.inputsEnded = true;
    this.#dropped = `the program had ${what} before its first agentic step`;
    this.#waiting = [];
    this.journal.drop();
    for (const step of this.#open) leave(step);
    this.#open.clear();
  }

  /** So much of a body has come. */
  received(bytes: number): void {
    if (!this.isActive) this.#prelude.take(bytes);
  }

  /** Metadata that the agent adds: the sink gets it at once, since the process may die, and the root repeats it. */
  annotate(metadata: RunMetadata, scope: number): void {
    if (this.over) return;
    const kept = this.metadata.add(metadata, scope);
    if (kept !== null && this.isActive) this.#tell(kept);
  }

  #tell(metadata: RunMetadata): void {
    this.#to((sink) => this.#scrubber !== null && sink.metadata(this.id, scrubMetadata(metadata, this.#scrubber)));
  }

  opened(step: Step, agentic: boolean): void {
    this.#open.add(step);
    if (agentic) {
      markAgenticFlow();
      this.activate();
    } else if (!this.isActive) this.#prelude.opened(step);
    if (!this.#open.has(step)) return;
    this.#to((sink) => sink.begin(stepFacts(this.id, step, this.#scrubber, this.#journalPart())));
  }

  /** Values and order that no step has carried yet, which a process that dies would take with it. */
  #journalPart(): JournalPart | null {
    return this.#own.sink === undefined && !recorder.isReplay ? this.journal.takePart() : null;
  }

  /** What the run was asked is known better than when it began. */
  asked(): void {
    if (this.isActive && !this.over) this.#root.input();
  }

  settled(step: Step): void {
    const at = step.ended ?? epochNow();
    this.#hasEnded(step);
    if (step.state !== "settled") return;
    this.#finishing.add(step, () => this.#to((sink) => sink.settle(this.id, step.index, step.settlePosition ?? 0, at)));
  }

  /** For a step that ends without a settle: aborted, cancelled, open. */
  closed(step: Step): void {
    if (step.state === "ended") return;
    step.ended ??= epochNow();
    this.#hasEnded(step);
    if (step.state === "open") this.#finishing.add(step);
  }

  #hasEnded(step: Step): void {
    this.retries.answered(step);
    if (!this.isActive) this.#prelude.ended(step);
  }

  inFlight(step: Step): void {
    writeValuesSoFar(this.#open, step, this.#underWay);
    writeRequestLater(step, this.#underWay);
  }

  yielded(step: Step, at: number): void {
    writeYield(step, at, this.#underWay);
  }

  /** Returns whether the written step itself says that it has settled. */
  #write(step: Step): boolean {
    if (step.state === "ended") return true;
    const { state } = step;
    step.state = "ended";
    this.#open.delete(step);
    writeValuesSoFar(this.#open, step, this.#underWay);
    const scrubber = this.#scrubber;
    if (scrubber === null && this.#own.sink === undefined) return false;
    let kept = false;
    if (scrubber === null) this.#to((sink) => sink.span(spanWithoutPayload(step)));
    else if (this.isActive) {
      const draft = this.#draft(step, scrubber);
      this.#to((sink) => (kept = sink.step(draft, step.operation)));
    } else {
      // not even scrubbed before there is a run: that may need a key
      this.#to((sink) => {
        if (this.#own.sink !== undefined || !this.#isSlow(step))
          return sink.step(this.#draft(step, scrubber), step.operation);
        step.state = state;
        return this.#finishing.add(step);
      });
    }
    return kept;
  }

  #draft(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
    const draft = draftOf(step, scrubber);
    if (this.#own.sink === undefined) keepOriginals(step, draft);
    return draft;
  }

  #to(write: (sink: Sink) => unknown): void {
    if (!this.isActive) {
      if (!this.inputsEnded) this.#waiting.push(write);
      return;
    }
    const sink = this.#own.sink ?? recorder.sink;
    if (sink !== null) guarded("sink", undefined, () => write(sink));
  }

  /** Ends what is open and writes the root: at once, or when another thread has answered for its steps. Nothing is recorded afterwards. */
  end(how: RunEnd): void {
    if (this.over) return;
    const end = how.status === "aborted" ? (this.answered ?? how) : how;
    this.outcome = end;
    for (const tell of this.ending) guarded("finish", undefined, () => tell(this));
    for (const step of this.#open) {
      if (step.exchange !== null) step.exchange.end ??= "open";
      guarded("finish", undefined, () => this.closed(step));
    }
    const waits = this.#finishing.isWaiting && this.#scrubber?.answersLater !== true;
    if (!waits) this.#finishing.flush();
    this.over = true;
    this.source.gate.close();
    if (this.isActive) this.#root.end(end);
    else recorder.onOver(this);
  }

  /** The answer of the run has gone out, and it ends so unless more comes: written at once, since the process may be killed. */
  answer(end: RunEnd, isWhole: () => boolean): void {
    this.answered = end;
    if (this.isActive && !this.over) this.#root.answer(end, isWhole);
    recorder.onAnswered(this);
  }

  /** The process ends: what another thread still reads is read here. */
  finish(): void {
    this.#finishing.flush();
    this.#root.finish();
  }

  /** Drops the journal of a process in which no run can become active any more. */
  release(): void {
    this.over = true;
    this.#waiting = [];
    this.journal.drop();
    setProcessFrame(null);
    recorder.onOver(this);
  }
}
