import {
  type Address,
  type Answer,
  type Content,
  type DecidedAnswer,
  type Delivery,
  type DrawKind,
  type Gate,
  type NumberedKind,
  RecordGate,
  type RunContext,
  type SentRequest,
  type Source,
  type Step,
  virtualNow,
} from "@reenact/capture/recorder";
import { isRequest } from "../match/asked.ts";
import { replayMiss } from "../serve/replay-miss.ts";
import type { FoundStep, TapeSource } from "../serve/tape-source.ts";
import { type RecordedStep, slotOf, type Tape } from "../tape/tape.ts";
import type { Ledger } from "../verdict/ledger.ts";
import type { ReplayReport } from "../verdict/replay-report.ts";
import type { CallVerdict } from "../verdict/verdict.ts";
import { ContinuedClock } from "./continued-clock.ts";
import type { Answered, Continuation } from "./continuation.ts";
import { type Decision, LiveDecision } from "./live-decision.ts";
import { type EditedRequest, editedRequest, editsOf } from "./edited-request.ts";
import type { PlannedEdit } from "./live-options.ts";
import { whyNotPaid } from "./cost-limit.ts";
import { whyStrangeRecipient } from "./recipient.ts";
import { holdsKey, redirectedAway, whyRedirected } from "./redirect.ts";
import { whyUnsendable } from "./unsendable.ts";

type Stop = NonNullable<ReplayReport["stopped"]>;

interface ContinuingParts {
  readonly tape: Tape;
  readonly ledger: Ledger;
  readonly continuation: Continuation;
  /** ends the replay at once */
  stop(why: Stop): void;
}

/**
 * The source of a run that leaves its record: up to the hand-over it is the tape, to the letter. From then on time, random
 * values and timers are real, results come in the order in which they arrive, and each call is decided by itself: it is served where
 * the record has just this call, is made live where the options say so, and is refused otherwise.
 */
export class ContinuingSource implements Source {
  readonly #run: RunContext;
  readonly #before: TapeSource;
  readonly #parts: ContinuingParts;
  readonly #decision: LiveDecision;
  readonly #clock = new ContinuedClock();
  readonly #own = new Set<Step>();
  /** requests that started before their bodies were known */
  readonly #held = new WeakSet<Step>();
  /** number of the first attempt of each call that can be edited: what is sent again gets the same changes */
  readonly #firsts = new Map<string, number>();
  #gate: Gate | null = null;

  constructor(run: RunContext, before: TapeSource, parts: ContinuingParts) {
    this.#run = run;
    this.#before = before;
    this.#parts = parts;
    this.#decision = new LiveDecision(before, parts);
    parts.continuation.atEnd = () => this.#leaveIfAnswered();
  }

  get gate(): Gate {
    return this.#gate ?? this.#before.gate;
  }

  get virtualTimers(): boolean {
    return this.#gate === null;
  }

  begin(step: Step, content: Content | null, address?: Address): Answer {
    this.#leaveIfAnswered();
    this.#parts.continuation.spending.update();
    const found = this.#before.find(step, content, address);
    const edited = this.#editedOf(step, content, found);
    if (edited === null) return this.#refused(step, "an option cannot change it");
    const isEdited = edited !== undefined;
    const decision = this.#decision.of(step, found, { isEdited, isBehind: this.#gate !== null });
    const stays = this.#gate === null && decision !== "live" && this.#divergedBefore !== null;
    if (decision === "before" || stays || this.#isServedOnly(step, found)) {
      const answer = this.#before.begin(step, content, address);
      this.#stopUnlessResumed();
      return answer;
    }
    if (this.#divergedBefore === null) {
      const { unsendable } = step;
      if (unsendable !== undefined && (content === null || decision === "live"))
        return this.#answerUnsendable(step, unsendable);
      if (content === null && isExchange(step)) return this.#hold(step, found, address);
    }
    return this.#answer(step, content, found, decision, edited);
  }

  /** Whether a call of a model that cannot be sent is compared and served as in a replay without live calls. */
  #isServedOnly({ unsendable, operation }: Step, { taken }: FoundStep): boolean {
    const { after, edits } = this.#parts.continuation.options;
    const isInRecord = this.#gate === null && after === null && taken !== null;
    return unsendable !== undefined && operation !== null && isInRecord && edits.length === 0;
  }

  #answerUnsendable(step: Step, why: string): DecidedAnswer {
    if (this.#gate === null) this.#handOver(this.#parts.continuation.options.asked);
    return this.#refused(step, why);
  }

  /**
   * A request whose body is not known yet. In the record it starts as the recorded one does where that is due, and is served if it
   * turns out to be that one; every other has left the record, whatever it asks for.
   */
  #hold(step: Step, found: FoundStep, address: Address | undefined): Answer {
    const { options } = this.#parts.continuation;
    const { taken } = found;
    const isDue = this.#gate === null && options.after === null && taken !== null && this.#before.isDue(taken);
    const served = isDue ? this.#before.begin(step, null, address) : null;
    if (served === null) {
      if (this.#gate === null) this.#handOver(options.after === null ? this.#why(step, found, false) : options.asked);
      this.#number(step, found);
    }
    this.#held.add(step);
    const decide = (content: SentRequest): DecidedAnswer => {
      this.#parts.continuation.spending.update();
      if (content.url !== step.exchange?.url || content.method !== step.exchange.method)
        return this.#readdressed(step, served === null ? null : taken);
      const now = this.#before.find(step, content);
      return served === null || taken === null
        ? this.#decided(step, content, now)
        : this.#decidedInPlace(step, content, { ...now, taken }, served);
    };
    return { from: "held", decide };
  }

  /** The program has changed the method or address of a request after it was recognised by them. `met`: the recorded one that it has started as. */
  #readdressed(step: Step, met: RecordedStep | null): DecidedAnswer {
    const { ledger, continuation, stop } = this.#parts;
    if (met !== null) ledger.withdraw(met);
    if (met !== null) continuation.withdraw();
    const message = `step ${step.index + 1} (${step.op}) was not sent: the program has changed its method or address since it made it`;
    stop({ reason: "not-sendable", message });
    return this.#refused(step, message);
  }

  /** `served`: its answer if it is the recorded request. */
  #decidedInPlace(step: Step, content: SentRequest, found: FoundStep & { taken: RecordedStep }, served: Answer) {
    const isEdited = this.#editedOf(step, content, found) !== undefined;
    if (this.#decision.of(step, found, { isEdited, isBehind: false }) === "before") {
      this.#before.late(step, content);
      return served as DecidedAnswer;
    }
    const { continuation, ledger } = this.#parts;
    ledger.withdraw(found.taken);
    continuation.withdraw();
    return this.#decided(step, content, found);
  }

  #decided(step: Step, content: SentRequest, found: FoundStep): DecidedAnswer {
    const edited = this.#editedOf(step, content, found);
    if (edited === null) return this.#refused(step, "an option cannot change it");
    const decision = this.#decision.behind(step, found, edited !== undefined);
    return this.#answer(step, content, found, decision, edited) as DecidedAnswer;
  }

  late(step: Step, content: Content): void {
    if (!this.#own.has(step)) this.#before.late(step, content);
  }

  draw<T extends string | number>(kind: DrawKind, scope: number, real: () => T, optional = false): T {
    this.#leaveIfAnswered();
    if (this.#gate === null) {
      const value = this.#before.draw(kind, scope, real, optional);
      this.#clock.saw(kind, value);
      return value;
    }
    this.#gate.touch();
    const value = this.#clock.continued(kind, real());
    this.#run.journal.draw(kind, scope, value);
    return value;
  }

  delay(ms: number, scope: number, what: string, step?: Step): void {
    if (this.#gate === null) this.#before.delay(ms, scope, what, step);
    else this.#run.journal.draw("W", scope, ms);
  }

  next(kind: NumberedKind, scope: number): number {
    this.#leaveIfAnswered();
    return this.#before.next(kind, scope);
  }

  ran(step: Step, outcome: { value: unknown } | { error: unknown }): void {
    if (!this.#own.has(step)) this.#before.ran(step, outcome);
  }

  /** The answer of a person is for the question that was asked, and for what came before it. */
  #stopUnlessResumed(): void {
    const { continuation, stop } = this.#parts;
    const diverged = continuation.options.resumes === true ? this.#divergedBefore : null;
    if (diverged !== null) stop(diverged);
  }

  /** Behind the last step that is to be served nothing is expected in the order of the record. */
  #leaveIfAnswered(): void {
    if (this.#gate !== null || !this.#decision.isPrefixAnswered || this.#divergedBefore !== null) return;
    this.#handOver(this.#parts.continuation.options.asked);
  }

  /** The request that is sent instead; undefined: the program's own. Null: it cannot be made, and the replay ends. */
  #editedOf(step: Step, content: Content | null, { taken }: FoundStep): EditedRequest | undefined | null {
    if (content === null || !isRequest(content) || !this.#decision.isLiveKind(step)) return undefined;
    if (step.attempt === 0) this.#firsts.set(slotOf(step), taken?.index ?? step.index);
    if (this.#decision.isInPrefix(taken)) return undefined;
    const made = editedRequest(step, content, this.#editsOf(step, taken));
    if (made === undefined || !("problem" in made)) return made;
    this.#parts.stop({ reason: "not-sendable", message: made.problem });
    return null;
  }

  #editsOf(step: Step, taken: FoundStep["taken"]): PlannedEdit[] {
    const first = this.#firsts.get(slotOf(step));
    return editsOf(step, this.#parts.continuation.options.edits, [first ?? step.index, taken?.index ?? -1]);
  }

  #answer(
    step: Step,
    content: Content | null,
    found: FoundStep,
    decision: Exclude<Decision, "before">,
    edited: EditedRequest | undefined,
  ): Answer {
    const { taken } = found;
    if (decision === "live") return this.#live(step, content, found, edited);
    if (this.#gate === null) this.#handOver(this.#parts.continuation.options.asked);
    if (decision === "refused") return this.#refused(step, this.#decision.whyRefused(step, found));
    this.#number(step, found);
    this.#add(step, taken, decision);
    if (decision === "run" || taken === null) return { from: "live" };
    this.#parts.ledger.served(taken, "equivalent", null);
    return this.#before.answer(step, taken);
  }

  /** Nothing goes out that was not searched, nor beyond the limit of the cost. */
  #live(step: Step, content: Content | null, found: FoundStep, edited: EditedRequest | undefined): Answer {
    const { continuation, stop } = this.#parts;
    this.#number(step, found);
    const { firstRefused } = continuation;
    if (firstRefused !== null)
      return this.#refused(step, `nothing is live any more once a call was refused, and step ${firstRefused} was`);
    const sent = content !== null && isRequest(content) ? { ...content, ...edited } : content;
    const problem = this.#whyNot(step, sent);
    if (problem !== null) {
      stop(problem);
      return this.#refused(step, problem.message);
    }
    if (this.#gate === null) this.#handOver(this.#why(step, found, edited !== undefined));
    if (sent !== null && isRequest(sent)) {
      continuation.sends(sent.url);
      if (step.operation !== null) continuation.spending.sent(step);
    } else continuation.runs(step);
    if (found.taken === null) this.#tell(step, "live");
    else this.#parts.ledger.served(found.taken, "live", null);
    if (edited !== undefined) continuation.used(this.#editsOf(step, found.taken));
    this.#add(step, found.taken, edited === undefined ? "live" : "edited");
    return { from: "live", ...edited, ...this.#bounds(step, sent) };
  }

  /** A plain request of a body that runs live may be led anywhere, unless it carries a key that would go along. */
  #bounds(step: Step, sent: Content | null): { leaves?: (to: string) => Error } {
    const { continuation, stop } = this.#parts;
    if (sent === null || !isRequest(sent)) return {};
    if (step.operation === null && continuation.isBeneathLive(step.under) && !holdsKey(sent.headers)) return {};
    const leaves = (to: string): Error => {
      const stopped = redirectedAway(step, to);
      stop(stopped);
      return replayMiss(slotOf(step), stopped.message);
    };
    return { leaves };
  }

  #whyNot(step: Step, sent: Content | null): Stop | null {
    const { tape, continuation } = this.#parts;
    const { options, spending } = continuation;
    const isPaid = step.operation !== null;
    return (
      this.#divergedBefore ??
      whyRedirected(step, sent, continuation.calls) ??
      whyStrangeRecipient(step, sent, tape, {
        options,
        isBeneathLive: options.resumes === true || continuation.isBeneathLive(step.under),
      }) ??
      whyUnsendable(step, sent, tape, options) ??
      (isPaid ? whyNotPaid(step, sent, options, spending) : null)
    );
  }

  /**
   * A call that was served though it asked for something else makes all behind it worthless: nothing is paid for that, and the
   * record is not left.
   */
  get #divergedBefore(): Stop | null {
    const { divergence } = this.#parts.ledger;
    if (this.#gate !== null || divergence === null) return null;
    const { resumes = false } = this.#parts.continuation.options;
    if (divergence.step === null && !resumes) return null;
    const what = divergence.step === null ? divergence.cause : `step ${divergence.step} is not as recorded`;
    const message = resumes ? `not resumed: ${what}` : `nothing was sent: ${what}, and comes before what goes live`;
    return { reason: "diverged", message };
  }

  #why(step: Step, { taken }: FoundStep, isEdited: boolean): string {
    const { asked } = this.#parts.continuation.options;
    const what = `step ${step.index + 1} (${step.op})`;
    if (isEdited) return `${what} is sent with what --set gives it`;
    return taken === null ? `the record has no ${what}` : `${what} is made live (${asked})`;
  }

  #refused(step: Step, why: string): DecidedAnswer {
    this.#tell(step, "extra");
    this.#add(step, null, "refused", why);
    return { from: "miss", error: replayMiss(slotOf(step), why) };
  }

  /** For who reads the calls as they come. */
  #tell(step: Step, verdict: CallVerdict): void {
    this.#parts.ledger.onCall({ step: step.index + 1, slot: slotOf(step), attempt: step.attempt, verdict });
  }

  #add(step: Step, taken: FoundStep["taken"], answer: Answered, why: string | null = null): void {
    this.#own.add(step);
    this.#parts.continuation.add(step, taken, answer, why);
  }

  /** The recorded number, where no step of this run can have it. One that was held has its number. */
  #number(step: Step, { taken }: FoundStep): void {
    if (this.#held.has(step)) return;
    if (taken !== null && taken.index > step.index) this.#run.renumbered(step, taken.index);
  }

  #handOver(why: string): void {
    const { continuation, ledger } = this.#parts;
    continuation.before = ledger.divergence?.cause ?? null;
    continuation.handedOver = { behind: ledger.calls.length, why };
    const owed = this.#before.gate.handOver();
    const gate = new RecordGate(this.#run.journal, (fn) => this.#run.enter(fn));
    this.#gate = gate;
    for (const delivery of owed) this.#offerAgain(gate, delivery);
  }

  /** Recorded answers that this run has asked for come now. What the recorded run never got stays away, as do events from outside. */
  #offerAgain(gate: Gate, delivery: Delivery): void {
    if (delivery.dead() || delivery.open === true || delivery.kind === "f") return;
    if (delivery.kind !== "t") gate.offer(delivery);
    else delivery.goReal?.(virtualNow(this.#run));
  }
}

/** Beside requests, what is written to a child is whole only later. */
const isExchange = ({ kind, operation }: Step): boolean => operation !== null || kind === "HTTP";
