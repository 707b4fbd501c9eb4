import type { RunContext } from "@reenact/capture/recorder";
import type { Continuation } from "../live/continuation.ts";
import { modelDrift } from "../live/model-drift.ts";
import { countOf } from "../guard/refusals.ts";
import { slotOf, type Tape } from "../tape/tape.ts";
import { countGiven, givenWords } from "./given-effects.ts";
import type { Ledger } from "./ledger.ts";
import type { AgentEnding } from "./outcome.ts";
import type { ContinuedFacts, ReplayReport } from "./replay-report.ts";
import { isFaithful } from "./verdict.ts";

interface Continued {
  readonly tape: Tape;
  readonly ledger: Ledger;
  readonly continuation: Continuation;
  readonly run: RunContext | null;
  readonly ending: AgentEnding;
  readonly stopped: ReplayReport["stopped"];
}

/**
 * The report of a replay that has left its record. What comes behind that is the program's own: it is `continued` where it came to
 * a good end, and `diverged` where it was broken by an error, another exit code than 0, or a call that was refused.
 */
export function continuedReport(replay: Continued): ReplayReport {
  const { tape, ledger, continuation, run, ending, stopped } = replay;
  const { spending, handedOver, options } = continuation;
  spending.end();
  const broken = stopped === null ? whyBroken(replay) : null;
  const outcome = outcomeOfRest(broken, stopped, tape);
  const behind = handedOver?.behind ?? 0;
  const drift = modelDrift(continuation.calls, tape);
  return {
    schemaVersion: 1,
    run: run?.isActive === true ? run.id : null,
    parent: tape.runId,
    verdict: broken !== null ? "diverged" : stopped !== null ? "incomplete" : "continued",
    byPlace: ledger.byPlace,
    steps: new Set(tape.ordered.map(({ record }) => slotOf(record))).size,
    ...counts(replay, behind),
    missing: 0,
    leaks: (tape.root.leaks ?? []).length,
    sockets: continuation.sockets,
    socketsRefused: countOf(ledger.refused, "socket"),
    costUsd: spending.unknown === null ? spending.usd : null,
    costKnownUsd: spending.usd,
    findings: findingsOf(ledger, drift),
    changedTools: [...ledger.changedTools],
    calls: [...ledger.calls.slice(0, behind).map((call) => ({ ...call, answer: "recorded" as const })), ...own(replay)],
    divergence: broken,
    notes: [...notesOf(replay), ...drift],
    refusals: ledger.refused,
    exitCode: { recorded: tape.root.process?.exitCode ?? null, now: ending.exitCode },
    durationMs: ending.durationMs,
    runs: [],
    stopped,
    continued: { behind, why: handedOver?.why ?? options.asked, outcome },
  };
}

function findingsOf({ findings, refused }: Ledger, drift: readonly string[]): ReplayReport["findings"] {
  return [
    ...findings,
    ...(drift.length > 0 ? (["model-drift"] as const) : []),
    ...(refused.length > 0 ? (["leak"] as const) : []),
  ];
}

function outcomeOfRest(
  broken: ReplayReport["divergence"],
  stopped: ReplayReport["stopped"],
  tape: Tape,
): ContinuedFacts["outcome"] {
  if (broken !== null) return "broken";
  if (stopped !== null) return "stopped";
  return hasFailed(tape) ? "fixed" : "ended";
}

function counts(
  { ledger, continuation }: Continued,
  behind: number,
): Pick<ReplayReport, "recorded" | "live" | "edited" | "given" | "refused"> {
  const given = countGiven(ledger);
  const served = ledger.calls.slice(0, behind).filter(({ verdict }) => isFaithful(verdict));
  return {
    recorded: new Set(served.map(({ slot }) => slot)).size - ledger.edited - given + continuation.count("recorded"),
    live: continuation.count("live"),
    edited: ledger.edited + given + continuation.count("edited"),
    given,
    refused: countOf(ledger.refused) + continuation.count("refused"),
  };
}

/** Calls behind the hand-over, by their numbers in this run. */
function own({ continuation }: Continued): ReplayReport["calls"] {
  return continuation.calls.map(({ step, answer }) => ({
    step: step.index + 1,
    slot: slotOf(step),
    attempt: step.attempt,
    verdict: VERDICTS[answer],
    answer,
  }));
}

function notesOf({ ledger, stopped, continuation: { before, spending, unused } }: Continued): string[] {
  return [
    ...(before === null ? [] : [`differs before it, and is not judged: ${before}`]),
    ...ledger.notes,
    ...givenWords(ledger),
    ...(stopped === null ? unused : []),
    ...(spending.unknown === null ? [] : [spending.unknown]),
  ];
}

const VERDICTS = { recorded: "equivalent", run: "equivalent", edited: "live", live: "live", refused: "extra" } as const;

/** One that was cut off, or is suspended, did not fail. */
const hasFailed = ({ status, root }: Tape): boolean => status === "failed" || (root.process?.exitCode ?? 0) !== 0;

/** What went wrong behind the hand-over; the first of it. Null: nothing. */
function whyBroken({ ledger, continuation, run, ending }: Continued): ReplayReport["divergence"] {
  // the body of a request that was served came only behind the hand-over, and is another one
  if (ledger.divergence !== null && ledger.divergence.step !== null) return ledger.divergence;
  const refused = continuation.calls.find(({ answer }) => answer === "refused");
  if (refused !== undefined) {
    const { step, why } = refused;
    return divergence(ledger.tape, step.index + 1, slotOf(step), "refused", `${step.op} was refused: ${why ?? ""}`);
  }
  const [effect] = ledger.refused;
  if (effect !== undefined)
    return divergence(ledger.tape, null, null, "leak", `an effect was refused: ${effect.kind} ${effect.target}`);
  if (run?.outcome?.status === "failed")
    return divergence(ledger.tape, null, null, "error", `it ended with an error: ${run.outcome.message ?? "unknown"}`);
  if (ending.exitCode !== null && ending.exitCode !== 0) {
    const uncaught = ending.error instanceof Error ? `: ${ending.error.name}: ${ending.error.message}` : "";
    const how = `it ended with exit code ${ending.exitCode}${uncaught}`;
    return divergence(ledger.tape, null, null, "exit-code-changed", how);
  }
  return null;
}

function divergence(
  tape: Tape,
  step: number | null,
  slot: string | null,
  verdict: string,
  cause: string,
): ReplayReport["divergence"] {
  const next = `reenact show ${tape.runId}`;
  const shown = { of: null, pointer: null, recorded: null, now: null, others: [] };
  return { step, slot, verdict, cause, ...shown, next };
}
