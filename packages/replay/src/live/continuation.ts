import { here, isLive, type Step } from "@reenact/capture/recorder";
import { type RecordedStep, slotOf } from "../tape/tape.ts";
import type { LiveOptions, PlannedEdit } from "./live-options.ts";
import { Spending } from "./spending.ts";

/**
 * Who has answered a call behind the hand-over. `run`: the body of a tool with inner steps ran, and those were decided one by
 * one. `edited`: live, with a request that an option has changed.
 */
export type Answered = "recorded" | "edited" | "live" | "run" | "refused";

/** A call behind the hand-over, by its number in this run. */
export interface ContinuedCall {
  readonly step: Step;
  /** the recorded call in whose place it comes; null: there is none */
  readonly recorded: RecordedStep | null;
  readonly answer: Answered;
  /** why it was refused */
  readonly why: string | null;
}

/** What a replay does beyond its record, while it does it. */
export class Continuation {
  readonly options: LiveOptions;
  readonly spending: Spending;
  readonly calls: ContinuedCall[] = [];
  /** where the run has left its record: behind so many of its steps, and why; null: it has not */
  handedOver: { readonly behind: number; readonly why: string } | null = null;
  /** what differed before that, and stopped nothing */
  before: string | null = null;
  /** connections that were opened for live calls */
  sockets = 0;
  /** leaves the record, where all that is to be served was answered */
  atEnd: () => void = () => {};
  readonly #targets = new Set<string>();
  readonly #scopes = new Set<number>();
  readonly #used = new Set<PlannedEdit>();

  constructor(options: LiveOptions, keepSpent?: (usd: number) => void) {
    this.options = options;
    this.spending = new Spending(options.prices, keepSpent);
  }

  /** The program has ended, or has nothing to do: what was resumed has left its record, though it made no call behind it. */
  end(): void {
    if (this.options.resumes === true && this.handedOver === null) this.atEnd();
  }

  /** A request went out with these changes. */
  used(edits: Iterable<PlannedEdit>): void {
    for (const edit of edits) this.#used.add(edit);
  }

  /** Changes that no request has got, in words: an option without effect would look like one that changes nothing. */
  get unused(): string[] {
    return this.options.edits
      .filter((edit) => !this.#used.has(edit))
      .map(
        ({ what, name, step }) =>
          `--set ${[what, name, step === null ? null : step + 1].filter((part) => part !== null).join(".")} had no effect: no request went out that it changes`,
      );
  }

  /** A call that started in the record, and is none of it. */
  withdraw(): void {
    const left = this.handedOver;
    if (left !== null) this.handedOver = { ...left, behind: left.behind - 1 };
  }

  add(step: Step, recorded: RecordedStep | null, answer: Answered, why: string | null = null): void {
    this.calls.push({ step, recorded, answer, why });
  }

  /**
   * The first call that was refused, in words. Later calls rest on an answer that the program never got. They are not paid for: none
   * of them goes out, also where the program catches the error. A retry of the refused call is not a later call.
   */
  get firstRefused(): string | null {
    const first = this.calls.find(({ answer }) => answer === "refused")?.step;
    return first === undefined ? null : `${first.index + 1} (${first.op})`;
  }

  count(...answers: Answered[]): number {
    const counted = this.calls.filter(({ answer }) => answers.includes(answer));
    return new Set(counted.map(({ step }) => slotOf(step))).size;
  }

  /** A request to this address goes out: connections to it are let through. */
  sends(url: string): void {
    const { hostname, port, protocol } = new URL(url);
    const name = hostname.replace(/^\[|\]$/g, "");
    this.#targets.add(name);
    this.#targets.add(`${name}:${port || (protocol === "https:" ? "443" : "80")}`);
  }

  /** The body of this step runs live, and all that it does is real. */
  runs(step: Step): void {
    this.#scopes.add(step.index);
  }

  isBeneathLive(under: number | null): boolean {
    return under !== null && this.#scopes.has(under);
  }

  /** Whether a connection, or a look-up of a name, belongs to a live call: it is made by our own transport for it, or in a live body. */
  allows(target: string): boolean {
    const isAllowed = (isLive() && this.#targets.has(target)) || this.isBeneathLive(here()?.scope ?? null);
    if (isAllowed && target.includes(":")) this.sockets++;
    return isAllowed;
  }
}
