import { environmentIsFull } from "../ambient/environment.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { keepInput } from "../redact/keep-originals.ts";
import { redactInput } from "../redact/redact-input.ts";
import { isLongRoot, readRoot, type RootTexts } from "../redact/read-root.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import { factsOfRoot, rootSpan } from "../span/root-span.ts";
import type { TypedText } from "../span/value-snapshot.ts";
import { live, type RunContext } from "./context.ts";
import { recorder } from "./recorder.ts";
import type { RunEnd } from "./run-start.ts";
import type { EndedSpan, Sink } from "./sink.ts";

export interface RunRootParts {
  /** the run writes into a set-up of the user's */
  readonly isAttached: boolean;
  /** null: there is none, and no root is written */
  scrubber(): Scrubber | null;
  /** tools that models asked for and of which no step followed */
  unrecordedTools(): number;
  to(write: (sink: Sink) => unknown): void;
  /** Calls back, once, when all steps that have ended are written. A later call takes the place of an earlier one. */
  whenWritten(done: () => void): void;
}

/**
 * Writes the root of a run when it ends, and, of a run with an answer, when that has gone out; and what it was asked before its first
 * agentic step goes out.
 */
export class RunRoot {
  readonly #run: RunContext;
  readonly #parts: RunRootParts;
  /** writes the root of a run that is over; null: there is none to write */
  #close: ((read: RootTexts | null) => void) | null = null;
  /** what the root that was written with the answer says; null: none was */
  #answered: string | null = null;
  #keptInput: TypedText | null = null;

  constructor(run: RunContext, parts: RunRootParts) {
    this.#run = run;
    this.#parts = parts;
  }

  /** Writes what the run was asked, as far as that is known: the process may be killed. */
  input(): void {
    const { start, source } = this.#run;
    const scrubber = this.#parts.scrubber();
    if (scrubber === null || this.#parts.isAttached || recorder.isReplay || source.virtualTimers) return;
    const write = (input: string, read: RootTexts | null): void => {
      if (this.#run.over) return;
      this.#keepInput(scrubber, read);
      this.#parts.to((sink) => sink.input(this.#run.id, input));
    };
    guarded("input", undefined, () => live(() => redactInput(start, scrubber, write)));
  }

  /** Writes the root as it is now. `isWhole`: whether nothing of the run is under way when it is written. */
  answer(end: RunEnd, isWhole: () => boolean): void {
    const { isAttached, whenWritten } = this.#parts;
    if (isAttached || recorder.isReplay || this.#run.source.virtualTimers) return;
    const write = (read: RootTexts | null): void => {
      if (this.#run.over) return;
      const facts = this.#facts(end);
      const scrubber = this.#parts.scrubber();
      if (facts === null || scrubber === null) return;
      this.#keepInput(scrubber, read);
      const span = rootSpan(this.#run, end, { facts, scrubber, goesOn: true })(read);
      const [whole, state] = [isWhole(), stateOf(facts, end)];
      this.#parts.to((sink) => {
        // a step that is under way brings a part of the journal of its own, which this root has too
        if (sink.answered(span, whole) && whole) this.#answered = state;
      });
    };
    const whenRead = (read: RootTexts | null): void =>
      whenWritten(() => guarded("root", undefined, () => live(() => write(read))));
    if (!guarded("root", false, () => this.#reads(end, () => !this.#run.over, whenRead))) whenRead(null);
  }

  /** Writes the root: at once, or when another thread has answered for the steps and for long texts. */
  end(end: RunEnd): void {
    const facts = guarded("root", undefined, () => this.#facts(end));
    if (facts === undefined) return;
    const scrubber = this.#parts.scrubber();
    if (facts !== null && this.#answered === stateOf(facts, end)) return this.#whenWritten(() => this.#closed(null));
    const root =
      facts === null || scrubber === null
        ? null
        : guarded("root", undefined, () => rootSpan(this.#run, end, { facts, scrubber }));
    if (root === undefined) return;
    this.#close = (read) => {
      this.#close = null;
      guarded("root", undefined, () => {
        if (scrubber !== null) this.#keepInput(scrubber, read);
        this.#closed(root === null ? null : root(read));
      });
    };
    const whenRead = (read: RootTexts | null): void => this.#parts.whenWritten(() => this.#close?.(read));
    if (!guarded("root", false, () => this.#reads(end, () => this.#close !== null, whenRead))) whenRead(null);
  }

  /** The process ends: the root is written without waiting for another thread. */
  finish(): void {
    this.#close?.(null);
  }

  #whenWritten(done: () => void): void {
    this.#close = () => {
      this.#close = null;
      guarded("root", undefined, done);
    };
    this.#parts.whenWritten(() => this.#close?.(null));
  }

  #facts(end: RunEnd): Record<string, unknown> | null {
    const run = this.#run;
    if (this.#parts.scrubber() === null) return null;
    if (environmentIsFull()) addOnce(run.lossy, "environment: more than 4096 names were read or written");
    if (run.metadata.isFull) addOnce(run.lossy, "said: more than 1000 flags or tags");
    return factsOfRoot(run, end, this.#parts.unrecordedTools());
  }

  #keepInput(scrubber: Scrubber, read: RootTexts | null): void {
    const { input = null } = this.#run.start;
    if (this.#parts.isAttached || input === null || this.#keptInput === input) return;
    this.#keptInput = input;
    keepInput(this.#run.id, this.#run.start, scrubber, read === null ? undefined : read.originals);
  }

  /** Has a long root read by another thread, which it is given in a turn of its own. Returns false if it is read here. */
  #reads(end: RunEnd, isWanted: () => boolean, write: (read: RootTexts | null) => void): boolean {
    const { start, source } = this.#run;
    const scrubber = this.#parts.scrubber();
    const [input, output] = [start.input ?? null, end.output ?? null];
    if (scrubber === null || this.#parts.isAttached || source.virtualTimers) return false;
    if (!isLongRoot(scrubber, input, output)) return false;
    const handOver = (): void => {
      if (!isWanted()) return;
      const reading = guarded("root", null, () =>
        readRoot(
          scrubber,
          { text: input, json: start.inputJson ?? null },
          { text: output, json: end.outputJson ?? null },
        ),
      );
      if (reading === null) write(null);
      else void reading.then(write);
    };
    live(() => void originals.setImmediate(handOver));
    return true;
  }

  #closed(root: EndedSpan | null): void {
    if (root !== null) this.#parts.to((sink) => sink.span(root));
    this.#parts.to((sink) => sink.over(this.#run.id));
    recorder.onOver(this.#run);
  }
}

/** All that a root says but its input, which does not change once the answer has gone out. */
function stateOf(facts: Readonly<Record<string, unknown>>, { status, message, output }: RunEnd): string {
  return JSON.stringify([facts, status, message, output]);
}

function addOnce(lines: string[], line: string): void {
  if (!lines.includes(line)) lines.push(line);
}
