import { isInbound, type RunContext, type Step } from "@reenact/capture/recorder";
import { nextFinding } from "./finding-order.ts";
import type { JudgedRun, ReplayReport } from "./replay-report.ts";
import { nameOfSlot } from "../tape/slot-name.ts";
import { isRequested, slotOf, type Tape } from "../tape/tape.ts";
import type { Divergence } from "./verdict.ts";

/** A judged run, and when its divergence was found. */
export interface Judgement {
  readonly judged: JudgedRun;
  readonly found: number;
  /** when the recorded run began and ended, milliseconds; absent: not known, or not recorded */
  readonly time?: { readonly from: number; readonly to: number };
}

/** A run of the replayed process that no record fits. */
export class UnrecordedRun {
  readonly run: RunContext;
  /** slot of the first call that was refused; null: none was */
  #missed: string | null = null;
  #found = Infinity;

  constructor(run: RunContext) {
    this.run = run;
    if (isRequested(run.start)) this.#found = nextFinding();
  }

  /** Whether one of its calls was refused. */
  get isCut(): boolean {
    return this.#missed !== null;
  }

  missed(step: Step): void {
    if (this.#missed === null) this.#found = Math.min(this.#found, nextFinding());
    this.#missed ??= slotOf(step);
  }

  /** `mayBeElsewhere`: other runs of the recorded process are not at hand. Null: the run called nothing, as when it was recorded. */
  judge(target: Tape, mayBeElsewhere: boolean): Judgement | null {
    const { trigger, name } = this.run.start;
    const isProcess = trigger === "process";
    // most requests and jobs are no runs
    if (this.#missed === null && (isProcess || isInbound(trigger) || mayBeElsewhere)) return null;
    const judged = { run: null, name: isProcess ? "the process" : name, steps: 0 };
    if (mayBeElsewhere) return { judged: { ...judged, verdict: "not-judged", divergence: null }, found: Infinity };
    const divergence: Divergence = {
      ...ofRun(target.runId),
      slot: isProcess || isInbound(trigger) ? this.#missed : `agent:${name}`,
      verdict: "extra",
      cause: isProcess
        ? `${nameOfSlot(this.#missed ?? "")} was called outside every agent(); the recorded process made no such call`
        : isInbound(trigger)
          ? `${nameOfSlot(this.#missed ?? "")} was called for a ${trigger} ${name}; the recorded process has no such run`
          : `agent "${name}" was called; the recorded process has no such run`,
    };
    return { judged: { ...judged, verdict: "not-recorded", divergence }, found: this.#found };
  }
}

/** A recorded run that the replayed process never began. `expected`: the same program begins it by itself. */
export function judgeNotBegun(tape: Tape, expected: boolean): Judgement {
  const name = nameOf(tape);
  const divergence: Divergence = {
    ...ofRun(tape.runId),
    slot: isInbound(tape.root.trigger) ? null : `agent:${name}`,
    verdict: "missing",
    cause: isInbound(tape.root.trigger)
      ? `the recorded process got a ${tape.root.trigger} ${name} (run ${tape.runId}); this one never did`
      : `the recorded process called agent "${name}" (run ${tape.runId}); this one never did`,
  };
  return {
    judged: { run: tape.runId, name, verdict: "not-begun", steps: 0, divergence: expected ? divergence : null },
    found: expected ? nextFinding() : Infinity,
    ...timeOf(tape),
  };
}

/** The verdict of a run, from the report that was made of it alone. */
export function judgementOf(tape: Tape, report: ReplayReport, found: number): Judgement {
  const { verdict, recorded: steps, divergence } = report;
  return { judged: { run: tape.runId, name: nameOf(tape), verdict, steps, divergence }, found, ...timeOf(tape) };
}

function timeOf({ started, seconds }: Tape): Pick<Judgement, "time"> {
  return started === undefined || seconds === undefined
    ? {}
    : { time: { from: started, to: started + seconds * 1000 } };
}

/** Whether records of runs of this process are lacking: the numbers of its `agent()` calls have no gap. */
export function isRunLacking(tapes: readonly Tape[]): boolean {
  const numbers = new Set(tapes.flatMap(({ root }) => root.sequence ?? []));
  for (let n = 1; n < Math.max(...numbers); n++) if (!numbers.has(n)) return true;
  return false;
}

function nameOf({ root: { name, trigger, surrounding } }: Tape): string {
  if (surrounding === true) return "the process";
  return name ?? (trigger === "process" ? "process" : "agent");
}

function ofRun(run: string): Omit<Divergence, "slot" | "verdict" | "cause"> {
  return {
    step: null,
    of: null,
    pointer: null,
    recorded: null,
    now: null,
    others: [],
    next: `reenact show ${run}`,
  };
}
