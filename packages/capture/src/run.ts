import { AskBook } from "./asks.ts";
import { BoundedJournal } from "./bounded-journal.ts";
import { type Frame, live, setProcessFrame, within } from "./context.ts";
import { bareSpan } from "./bare-span.ts";
import { draftRequest, draftStep } from "./draft-step.ts";
import type { Dialect } from "./dialect.ts";
import { FinishQueue } from "./finish-queue.ts";
import { fault, guarded } from "./guard.ts";
import { randomHex } from "./ids.ts";
import { LeakBook } from "./leak-book.ts";
import { LiveSource } from "./live-source.ts";
import { epochNow, originals } from "./originals.ts";
import { Occurrences } from "./path.ts";
import { prepareRequest, prepareStep } from "./prepare-step.ts";
import { recorder } from "./recorder.ts";
import { Retries } from "./retries.ts";
import { rootSpan, type RunEnd } from "./root-span.ts";
import type { Scrubber } from "./scrubber.ts";
import { scrubSaid } from "./scrub-said.ts";
import type { RunFacts, Said, Sink } from "./sink.ts";
import type { Source } from "./source.ts";
import { stepFacts } from "./step-facts.ts";
import type { Step } from "./step.ts";
import { markAgenticFlow } from "./timer-flow.ts";

export interface RunStart {
  trigger: "process" | "function";
  name: string;
  sequence: number;
  parent?: string | null;
  /** typed encoding of the argument list of an `agent()` call */
  input?: string | null;
}

/** Parts that a run has for itself instead of the process's recorder: attached mode. */
export interface RunParts {
  sink?: Sink;
  scrubber?: Scrubber | null;
  dialects?: readonly Dialect[];
  source?: (run: Run) => Source;
}

/** What is written of a run that is not born yet: at most this many deferred writes. */
const PRELUDE_WRITES = 4096;

/** One execution of an agent. Born, that is written at all, by its first agentic step. */
export class Run {
  readonly id = randomHex(16);
  readonly traceId: string;
  readonly rootSpanId = randomHex(8);
  readonly start: RunStart;
  readonly started = epochNow();
  readonly journal = new BoundedJournal(recorder.maxEvents, () =>
    this.lossy.push(`journal: cap of ${recorder.maxEvents} events reached`),
  );
  readonly occurrences = new Occurrences();
  readonly retries = new Retries();
  readonly leaks = new LeakBook();
  readonly flags: string[] = [];
  readonly identity: { user?: string; session?: string; readonly tags: Set<string> } = { tags: new Set() };
  readonly lossy: string[] = [];
  /** objects that tools returned, by identity, to the step that returned them */
  readonly returned = new WeakMap<object, number>();
  readonly frame: Frame;
  readonly source: Source;
  born = false;
  over = false;
  /** how the run ended; null while it goes on */
  outcome: RunEnd | null = null;
  /** how it ends at the latest with the process: it has returned what is still being read */
  answered: RunEnd | null = null;
  /** tool calls that a model asked for and no tool step took, counted when the run ends */
  readonly #own: RunParts;
  readonly #books = new Set<AskBook>();
  readonly #open = new Set<Step>();
  readonly #spans = new Map<number, string>();
  readonly #finishing: FinishQueue;
  #waiting: ((sink: Sink) => unknown)[] = [];
  #steps = 0;

  constructor(start: RunStart, own: RunParts = {}) {
    this.start = start;
    this.#own = own;
    this.traceId = this.id;
    this.frame = { run: this, path: "", scope: -1, asks: this.newBook(), outer: null };
    // beside somebody's own set-up nothing waits: nobody tells us before it shuts down
    this.#finishing = new FinishQueue({
      finish: (step) => this.#write(step),
      prepare: (step) => prepareStep(step, this.#scrubber),
      ...(own.sink === undefined
        ? { isSlow: () => this.born && !this.over && this.#scrubber?.answersLater === true }
        : { inTurnBytes: Infinity }),
    });
    this.source = own.source?.(this) ?? recorder.sourceFor?.(this) ?? new LiveSource(this);
  }

  get dialects(): readonly Dialect[] {
    return this.#own.dialects ?? recorder.dialects;
  }

  get #scrubber(): Scrubber | null {
    return this.#own.sink === undefined ? recorder.scrubber : (this.#own.scrubber ?? null);
  }

  get #sink(): Sink | null {
    return this.#own.sink ?? recorder.sink;
  }

  get steps(): number {
    return this.#steps;
  }

  nextStep(): number {
    return this.#steps++;
  }

  /** The seam has given a step its recorded number; later ones must not collide with it. */
  renumbered(step: Step, index: number): void {
    if (step.index === this.#steps - 1) this.#steps--;
    step.index = index;
    this.#steps = Math.max(this.#steps, index + 1);
  }

  newBook(): AskBook {
    const book = new AskBook();
    this.#books.add(book);
    return book;
  }

  /** Runs our own callback in the context of the run's root. */
  enter(fn: () => void): void {
    within(this.frame, fn);
  }

  /** Span id of the tool step with this number, else of the root. */
  spanOf(scope: number): string {
    return this.#spans.get(scope) ?? this.rootSpanId;
  }

  activeSpan(): { traceId: string; spanId: string } | null {
    return recorderActiveSpan();
  }

  facts(): RunFacts {
    return {
      id: this.id,
      traceId: this.traceId,
      rootSpanId: this.rootSpanId,
      trigger: this.start.trigger,
      name: this.start.name,
      parent: this.start.parent ?? null,
      sequence: this.start.sequence,
      started: this.started,
    };
  }

  bear(): void {
    if (this.born) return;
    this.born = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#to((sink) => sink.born(this.facts()));
    for (const write of waiting) this.#to(write);
  }

  /** What the agent says of the run: the root carries it, and at once the sink, since the process may die. */
  say(said: Said): void {
    if (this.over) return;
    const { flags = [], user, session, tags = [] } = said;
    this.flags.push(...flags);
    if (user !== undefined) this.identity.user = user;
    if (session !== undefined) this.identity.session = session;
    for (const tag of tags) this.identity.tags.add(tag);
    this.#to((sink) => this.#scrubber !== null && sink.said(this.id, scrubSaid(said, this.#scrubber)));
  }

  opened(step: Step, agentic: boolean): void {
    this.#open.add(step);
    this.#spans.set(step.index, step.spanId);
    if (agentic) {
      markAgenticFlow();
      this.bear();
    }
    this.#to((sink) => sink.begin(stepFacts(this.id, step, this.#scrubber)));
  }

  settled(step: Step): void {
    const at = step.ended ?? epochNow();
    this.#finishing.add(step, () => this.#to((sink) => sink.settle(this.id, step.index, step.settlePosition ?? 0, at)));
  }

  /** For a step that ends without a settle: aborted, cancelled, open. */
  closed(step: Step): void {
    if (step.state === "ended") return;
    step.ended ??= epochNow();
    this.#finishing.add(step);
  }

  /** A step is under way: in a turn of ours its redacted request is written, so that a killed process leaves it behind. */
  inFlight(step: Step): void {
    live(() =>
      originals.setImmediate(() => {
        const scrubber = this.#scrubber;
        if (scrubber === null || this.#own.sink !== undefined || !this.#isUnderWay(step)) return;
        guarded("request", undefined, () => {
          const wait = prepareRequest(step, scrubber);
          if (wait === null) this.#writeRequest(step, scrubber);
          else void wait.then(() => guarded("request", undefined, () => this.#writeRequest(step, scrubber)));
        });
      }),
    );
  }

  #isUnderWay(step: Step): boolean {
    return step.state === "open" && this.born && !this.over;
  }

  #writeRequest(step: Step, scrubber: Scrubber): void {
    if (!this.#isUnderWay(step)) return;
    const draft = draftRequest(step, scrubber);
    this.#to((sink) => sink.request(draft));
  }

  /** Returns whether the written step itself says that it has settled. */
  #write(step: Step): boolean {
    if (step.state === "ended") return true;
    const { state } = step;
    step.state = "ended";
    this.#open.delete(step);
    const scrubber = this.#scrubber;
    if (scrubber === null && this.#own.sink === undefined) return false;
    let kept = false;
    if (scrubber === null) this.#to((sink) => sink.span(bareSpan(step)));
    else if (this.born) {
      const draft = draftStep(step, scrubber);
      this.#to((sink) => (kept = sink.step(draft, step.operation)));
    } else {
      // not even scrubbed before there is a run: that may need a key
      this.#to((sink) => {
        if (this.#own.sink !== undefined || scrubber.answersLater !== true)
          return sink.step(draftStep(step, scrubber), step.operation);
        step.state = state;
        return this.#finishing.add(step);
      });
    }
    return kept;
  }

  #to(write: (sink: Sink) => unknown): void {
    if (!this.born) {
      if (this.#waiting.length < PRELUDE_WRITES) this.#waiting.push(write);
      else if (!this.lossy.includes("prelude: dropped")) this.lossy.push("prelude: dropped");
      return;
    }
    const sink = this.#sink;
    if (sink !== null) guarded("sink", undefined, () => write(sink));
  }

  /** Ends what is open, writes the root. Nothing is recorded in this run afterwards. */
  end(how: RunEnd): void {
    if (this.over) return;
    const end = how.status === "aborted" ? (this.answered ?? how) : how;
    this.outcome = end;
    for (const step of this.#open) {
      if (step.exchange !== null) step.exchange.end ??= "open";
      guarded("finish", undefined, () => this.closed(step));
    }
    this.#finishing.flush();
    this.over = true;
    this.source.gate.close();
    if (!this.born) return;
    try {
      const scrubber = this.#scrubber;
      if (scrubber !== null) {
        const unrecorded = [...this.#books].reduce((sum, book) => sum + book.size, 0);
        const span = rootSpan(this, end, unrecorded, scrubber);
        this.#to((sink) => sink.span(span));
      }
      this.#to((sink) => sink.over(this.id));
      recorder.onOver(this);
    } catch (error) {
      fault("root", error);
    }
  }

  /** Drops the journal of a process in which no run can be born any more. */
  release(): void {
    this.over = true;
    this.#waiting = [];
    setProcessFrame(null);
  }
}

let recorderActiveSpan = (): { traceId: string; spanId: string } | null => null;

/** How to find the agent's own active span, where OpenTelemetry is loaded. */
export function setActiveSpanLookup(lookup: typeof recorderActiveSpan): void {
  recorderActiveSpan = lookup;
}
