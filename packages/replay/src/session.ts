import { hasServed, isInbound, type RunContext, type Source } from "@reenact/capture/recorder";
import { askedTools } from "./tools/asked-tools.ts";
import { CallOrder } from "./verdict/call-order.ts";
import { completedReport } from "./verdict/completed-report.ts";
import { ContinuingSource } from "./live/continuing-source.ts";
import { Continuation } from "./live/continuation.ts";
import { continuedReport } from "./verdict/continued-report.ts";
import { isCutShort } from "./verdict/cut-short.ts";
import { reportMissing, reportLostOrder } from "./verdict/report-missing.ts";
import { type EffectsNow, effectsNow } from "./effects/effects.ts";
import { keepsAlive } from "./child/keeps-alive.ts";
import { Ledger } from "./verdict/ledger.ts";
import { isRunLacking, type Judgement, judgementOf, judgeNotBegun, UnrecordedRun } from "./verdict/judged-runs.ts";
import { beginDifferently, nearestTape } from "./match/nearest-tape.ts";
import { type AgentEnding, outcomeOf } from "./verdict/outcome.ts";
import type { ReplayReport } from "./verdict/replay-report.ts";
import { valueComparison } from "./serve/value-comparison.ts";
import { outputOf } from "./effects/output-of.ts";
import { reportOwnDeath } from "./verdict/own-death.ts";
import { isOtherNode } from "./verdict/other-node.ts";
import { noteError } from "./verdict/own-error.ts";
import { waitBudget } from "./gate/wait-budget.ts";
import { Progress } from "./verdict/progress.ts";
import { refuser } from "./guard/refusal.ts";
import type { ReplayGate } from "./gate/replay-gate.ts";
import { nameOfSlot } from "./tape/slot-name.ts";
import type { SessionOptions } from "./session-options.ts";
import { isRequested, readsInput, slotOf, type Tape } from "./tape/tape.ts";
import type { ServedRun } from "./serve/served-run.ts";
import { TapeSource } from "./serve/tape-source.ts";
import { Tapes } from "./tape/tapes.ts";
import { stopBehind } from "./verdict/stop-behind.ts";
import { adviceFor } from "./tools/tool-advice.ts";
import { MatchingSource } from "./serve/matching-source.ts";
import { causeOfNeverBegun, notCompared } from "./verdict/not-compared.ts";
import { waitedFor } from "./verdict/unfinished.ts";
import { UnrecordedSource } from "./serve/unrecorded-source.ts";
import { withLeftOut, withRunsAtOnce } from "./verdict/runs-at-once.ts";
import { withRuns } from "./verdict/with-runs.ts";
import { deliversAnswer, type StopPoint, stopPoints } from "./tools/unrecorded-tools.ts";

/** Quarters of a second that a program may go on which has called another agent than the recorded one. */
const LOST = 16;

/** One replay: which run is served from which record, and what was found. */
export class Session {
  /** files that the program finds as the recorded run did, though they are others here */
  asRecorded: ReadonlySet<string> = new Set();
  readonly ledger: Ledger;
  /** what it does beyond its record; null: no call is live */
  readonly continuation: Continuation | null;
  readonly #options: SessionOptions;
  readonly #stops: StopPoint[];
  readonly #tapes: Tapes;
  readonly #served = new Map<RunContext, ServedRun>();
  readonly #unrecorded: UnrecordedRun[] = [];
  readonly #progress = new Progress((why) => this.noProgress(why));
  readonly #runs = new Set<RunContext>();
  readonly #callOrder = new CallOrder();
  #target: TapeSource | null = null;
  #run: RunContext | null = null;
  stopped: ReplayReport["stopped"] = null;
  /** the program listens, and its agent will be called if it does not do so by itself */
  willCall = false;
  /** the recorded request or job that is being sent to the program */
  awaited: Tape | null = null;
  /** so many earlier runs of its process, or session, were not asked for before the recorded one, since the user wants none */
  leftOut = 0;
  /** the replay ended a server that would have gone on */
  endedServer = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.ledger = new Ledger(options.target, options.from ?? 0);
    this.ledger.progress = this.#progress;
    this.#tapes = new Tapes([options.target, ...options.siblings]);
    this.#stops = stopPoints(options.target, askedTools);
    if ((options.target.root.tools?.unrecorded ?? 0) > 0) this.ledger.findings.add("tools-unrecorded");
    if (isOtherNode(options.target.root.process?.node)) this.ledger.findings.add("node-changed");
    this.continuation = options.live ? new Continuation(options.live, (usd) => options.keepSpent?.(usd)) : null;
  }

  get runTools(): readonly string[] {
    return this.#options.runTools;
  }

  /** how long the recorded run took */
  get recordedSeconds(): number {
    return this.#options.target.seconds ?? 0;
  }

  get targetRun(): RunContext | null {
    return this.#run;
  }

  /** Whether the program has called any `agent()`. */
  get hasCalls(): boolean {
    return [...this.#runs].some(({ start }) => start.trigger === "function");
  }

  /** The recorded run is over here, and no other one is under way. */
  get isServed(): boolean {
    // a request or a job that takes no step is no run; a start-up behind which none of them is a run has no end
    const isRun = ({ start: { trigger }, isActive }: RunContext): boolean =>
      trigger === "function" || (isActive && (isInbound(trigger) || !this.#isInbound));
    return this.#run?.over === true && [...this.#runs].every((run) => run.over || !isRun(run));
  }

  /** The recorded run has no step that this one has not met, and no result of one. */
  get hasAllSteps(): boolean {
    const left = this.#target?.gate.left().some(({ k }) => k === "s" || k === "h" || k === "e") ?? true;
    return !left && this.#run?.openSteps === 0;
  }

  get gates(): ReplayGate[] {
    return [...this.#served.values()].map(({ source }) => source.gate);
  }

  /** For `recorder.sourceFor`. */
  sourceFor(run: RunContext, only: boolean = false): Source {
    const { target } = this.#options;
    this.#runs.add(run);
    if (only && this.#target === null) return this.#serve(run, target);
    const fit = this.#tapes.fit(run.start, this.awaited);
    const [likeliest] = fit;
    if (likeliest === undefined) return this.#refuse(run);
    if (!beginDifferently(fit)) {
      this.#callOrder.begun(likeliest, this.#processRun?.ledger ?? null);
      return this.#serve(run, this.#tapes.take(likeliest));
    }
    // the draws of the run that is judged are right; in another one they may be off until it is known
    return new MatchingSource(run, fit.includes(target) ? target : likeliest, (step, content) => {
      const left = this.#tapes.fit(run.start, null);
      const tape = step === null || content === null ? left[0] : nearestTape(left, step, content);
      return tape === undefined ? this.#refuse(run) : this.#serve(run, this.#tapes.take(tape));
    });
  }

  /** The ledger of a run; a run without a record uses that of the replayed run. */
  ledgerOf(run: RunContext | null): Ledger {
    return (run === null ? undefined : this.#served.get(run))?.ledger ?? this.ledger;
  }

  /** Whether this run is what no record was made of: a server beside its requests, a worker beside its jobs. */
  isOutside(run: RunContext | null): boolean {
    return this.#isInbound && (run === null || (run.start.trigger === "process" && !this.#served.has(run)));
  }

  /** The ledger of the run that is served from this record; null: none is. */
  ledgerOn(tape: Tape): Ledger | null {
    return [...this.#served.values()].find((each) => each.tape === tape)?.ledger ?? null;
  }

  /** The source of a run that no record fits. */
  #refuse(run: RunContext): Source {
    const unrecorded = new UnrecordedRun(run);
    this.#unrecorded.push(unrecorded);
    return new UnrecordedSource(run, {
      missed: (step) => {
        unrecorded.missed(step);
        this.#progress.missed(`${step.path} ${step.op}`, slotOf(step));
        if (this.#options.mode === "strict") this.#stopStrict(slotOf(step));
      },
      refusedRequest: (target) => void refuser(this)("request", target),
    });
  }

  /** The source of a run that is served from this record. */
  #serve(run: RunContext, tape: Tape): TapeSource | ContinuingSource {
    const isTarget = tape === this.#options.target;
    const ledger = isTarget ? this.ledger : new Ledger(tape);
    ledger.progress = this.#progress;
    const source: TapeSource = new TapeSource(
      run,
      tape,
      ledger,
      {
        mode: this.#options.mode,
        runTools: new Set(this.#options.runTools),
        serveTools: new Set(this.#options.serveTools),
        otherInput: this.#options.otherInput === true,
      },
      {
        diverged: (report) => reportLostOrder(ledger, source, report),
        exhausted: () => {
          // the start-up of a server goes on behind its record
          const isStartUp = tape.root.trigger === "process" && this.#isInbound;
          if (tape.root.startUp !== true && !isStartUp)
            this.#stop({
              reason: "recording-ends",
              message: `the recording ends here (${tape.incompleteReasons[0] ?? tape.status}); there is no more to replay`,
            });
        },
        begins: () => isTarget && this.#isUntil(source),
        unrecorded: (key) => this.#progress.delivered(() => waitedFor(key, tape)),
        mayDeliver: (event) => !(isTarget && this.#isUntil(source)) && this.#mayDeliver(event, isTarget),
      },
      (slot) => this.#stopStrict(slot),
    );
    this.#served.set(run, { run, tape, ledger, source });
    if (isTarget) {
      this.#target = source;
      this.#run = run;
    }
    source.gate.watch();
    const { continuation } = this;
    if (!isTarget || continuation === null) return source;
    return new ContinuingSource(run, source, { tape, ledger, continuation, stop: (why) => this.#stop(why) });
  }

  /** The step behind which the replay ends has its answer: it ends here. */
  #isUntil(source: TapeSource): boolean {
    const stop = stopBehind(this.#options, source);
    if (stop !== null) this.#stop(stop);
    return stop !== null;
  }

  /** The recorded token for a token of now. */
  translate(token: string): string {
    for (const { source } of this.#served.values()) {
      const translated = source.translate(token);
      if (translated !== token) return translated;
    }
    return token;
  }

  /** Idle time after which the replay is ended, in quarters of a second; null: no limit now. */
  get waitBudget(): number | null {
    const { target } = this.#options;
    if (this.stopped !== null) return null;
    // it serves, and the recorded agent will not be called
    if (this.#run === null) return !this.willCall && this.#unrecorded.some(({ run }) => run.over) ? LOST : null;
    if (!this.#run.over || !isRequested(target.root))
      return waitBudget(this.#target?.gate ?? null, this.ledger, readsInput(target));
    const surrounding = this.#processRun;
    return surrounding && waitBudget(surrounding.source.gate, surrounding.ledger, readsInput(surrounding.tape));
  }

  get events(): number {
    return this.#progress.events + this.gates.reduce((sum, gate) => sum + gate.delivered, 0);
  }

  /** The event loop is empty. */
  idle(): void {
    this.continuation?.end();
    for (const gate of this.gates) gate.idle();
    if (this.stopped !== null || this.gates.some((gate) => gate.isArmed)) return;
    const outside = this.gates.flatMap((gate) => gate.onlyOutside);
    if (outside.length > 0)
      this.noProgress(`nothing is owed to the program, and it does not end: ${keepsAlive(outside)}`);
  }

  /** Completes the ledger and derives the report. `ending`: how the agent ended. */
  close(ending: AgentEnding): ReplayReport {
    const { target, siblings } = this.#options;
    const closed = this.#closeTarget(ending);
    const report = withRuns(closed, {
      target,
      found: this.ledger.found,
      // behind the hand-over the whole process is the program's own
      others: closed.continued === undefined ? this.#judgeOthers(ending) : [],
      ledgers: [...this.#served.values()].flatMap(({ ledger }) => (ledger === this.ledger ? [] : ledger)),
    });
    return withLeftOut(withRunsAtOnce(report, [target, ...siblings]), this.leftOut);
  }

  /** A run whose record is not at hand had its calls refused: what the process leaves behind follows from that. */
  get #isCut(): boolean {
    const { target, siblings, hasSiblings } = this.#options;
    return (!hasSiblings || isRunLacking([target, ...siblings])) && this.#unrecorded.some(({ isCut }) => isCut);
  }

  /** The recorded run is one of those that come to a program which waits for them. */
  get #isInbound(): boolean {
    return isInbound(this.#options.target.root.trigger);
  }

  /** The run of the process itself, where it is served from a record. */
  get #processRun(): ServedRun | null {
    return [...this.#served.values()].find(({ tape }) => tape.root.trigger === "process") ?? null;
  }

  #judgeOthers(ending: AgentEnding): Judgement[] {
    const { target, siblings, hasSiblings } = this.#options;
    const isLacking = !hasSiblings || isRunLacking([target, ...siblings]);
    const served = [...this.#served.values()].filter(({ tape }) => tape !== target);
    const judged = served.map((each) => this.#judge(each, ending));
    const unrecorded = this.#unrecorded.flatMap((each) => each.judge(target, isLacking) ?? []);
    const isWhole = this.stopped === null && !this.endedServer && target.complete;
    // a server waits for its other requests, which a replay does not send
    const begins = target.root.trigger === "process" || !(hasServed() || readsInput(target));
    const left = this.#tapes.left.filter((tape) => tape !== target && isRequested(tape.root));
    const notBegun = left.map((tape) => judgeNotBegun(tape, isWhole && begins && tape.complete));
    return [...judged, ...unrecorded, ...notBegun];
  }

  #judge({ run, tape, ledger, source }: ServedRun, ending: AgentEnding): Judgement {
    const isShort = this.#isCutShort(run);
    const isCut = this.stopped !== null || (this.endedServer && !run.over) || isShort;
    if (!isCut) noteError(ledger, run, ending);
    const missing = isCut ? 0 : reportMissing(ledger, tape, source);
    const { stopped } = this;
    const report = outcomeOf(ledger, {
      ...(isCut || this.#isCut ? { ...ending, exitCode: null } : ending),
      effects: isCut ? null : this.#effects(tape, source, run, ending),
      output: outputOf(run),
      ...valueComparison(source),
      run: run.id,
      missing,
      stopped,
      isCutShort: isShort,
      isSibling: true,
    });
    return judgementOf(tape, report, ledger.found);
  }

  #effects(tape: Tape, source: TapeSource | null, run: RunContext | null, ending: AgentEnding): EffectsNow | null {
    if (source === null || this.#isCut || this.#isCutShort(run) || tape.root.startUp === true) return null;
    return effectsNow(this, source, ending.effectsOf(run), run);
  }

  #closeTarget(ending: AgentEnding): ReplayReport {
    const source = this.#target;
    const [{ target }, { continuation, ledger }] = [this.#options, this];
    // the process ends already: ending it once more would leave no report
    if (source !== null) this.stopped ??= stopBehind(this.#options, source);
    continuation?.end();
    if (continuation?.handedOver)
      return continuedReport({ tape: target, ledger, continuation, run: this.#run, ending, stopped: this.stopped });
    const isShort = this.#isCutShort(this.#run);
    const isCut = this.stopped !== null || isShort;
    if (!isCut) noteError(ledger, this.#run, ending);
    const missing = isCut || source === null ? 0 : reportMissing(ledger, target, source);
    if (source !== null) this.#noteSource(source);
    else if (this.stopped === null) this.ledger.diverged(null, null, "missing", null, causeOfNeverBegun(target));
    const report = outcomeOf(this.ledger, {
      ...ending,
      output: outputOf(this.#run),
      ...valueComparison(source),
      effects: this.#effects(target, source, this.#run, ending),
      isCutShort: isShort,
      run: this.#run?.isActive ? this.#run.id : null,
      missing,
      stopped: this.stopped,
    });
    return completedReport(report, target, this.asRecorded, continuation);
  }

  #isCutShort(run: RunContext | null): boolean {
    return this.stopped === null && isCutShort(run && this.#served.get(run), this.#processRun);
  }

  #noteSource({ gate }: TapeSource): void {
    if (gate.earlyWakes > 0) this.ledger.findings.add("early-wake");
    for (const what of notCompared(this.#options.target, this.#processRun !== null)) this.ledger.note(what);
  }

  /** Ends the replay because the agent makes no progress. */
  noProgress(why: string): void {
    this.#stop({ reason: "no-progress", message: `the replay makes no progress: ${why}` });
  }

  /** Ends the replay because the user interrupted it. */
  interrupt(signal: string): void {
    const served = this.ledger.calls.length;
    const all = this.#options.target.steps.size;
    this.#stop({ reason: "interrupted", message: `interrupted by ${signal}, with ${served} of ${all} steps met` });
  }

  /** The recorded run cannot be asked for again. */
  cannotBegin(why: string): void {
    this.#stop({ reason: "recording-ends", message: `nothing can be replayed: ${why}` });
  }

  /** The program sends itself a signal that ends it. */
  ownDeath(signal: string): void {
    reportOwnDeath(this.ledger, signal);
    this.#stop({ reason: "recording-ends", message: `the program ended itself with ${signal} here` });
  }

  #mayDeliver(event: Parameters<typeof deliversAnswer>[0], isTarget: boolean): boolean {
    if (!isTarget || this.#options.allowUnrecordedTools) return true;
    const point = this.#stops.find((p) => deliversAnswer(event, p));
    if (point === undefined) return true;
    this.#stop({ reason: "unrecorded-tools", message: adviceFor(point) });
    return false;
  }

  #stopStrict(slot: string): void {
    const message = `stopped at ${nameOfSlot(slot)}: the first call that is not what was recorded`;
    this.#stop({ reason: "strict", message });
  }

  #stop(reason: NonNullable<ReplayReport["stopped"]>): void {
    if (this.stopped !== null) return;
    this.stopped = reason;
    this.#options.stop(reason);
  }
}
