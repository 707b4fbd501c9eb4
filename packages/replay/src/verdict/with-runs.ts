import type { Judgement } from "./judged-runs.ts";
import { judgementOf } from "./judged-runs.ts";
import type { Ledger } from "./ledger.ts";
import { identical, type ReplayReport } from "./replay-report.ts";
import { countOf } from "../guard/refusals.ts";
import type { Tape } from "../tape/tape.ts";
import type { Finding } from "./verdict.ts";

export interface OtherRuns {
  target: Tape;
  /** when the divergence of the replayed run was found */
  found: number;
  others: readonly Judgement[];
  /** ledgers of the other runs that were served */
  ledgers: readonly Ledger[];
}

/** The report of the replayed run as the report of its whole process: the first divergence of any run is its divergence. */
export function withRuns(report: ReplayReport, { target, found, others, ledgers }: OtherRuns): ReplayReport {
  const own = judgementOf(target, report, found);
  const all = [own, ...others];
  const diverged = all.filter(({ judged }) => judged.divergence !== null);
  const firstFound = diverged.reduce<Judgement | null>(
    (best, each) => (best === null || isBefore(each, best) ? each : best),
    null,
  );
  const first =
    firstFound === null
      ? null
      : (sourceOfInput(firstFound, diverged) ?? callNotMade(firstFound, diverged) ?? firstFound);
  const notJudged = others.filter(({ judged }) => judged.verdict === "not-judged");
  const notes = notJudged.map(
    ({ judged: { name } }) => `not judged: the record of run "${name}" of this process is not in the store`,
  );
  const refusals = [...report.refusals, ...ledgers.flatMap(({ refused }) => refused)];
  const changedTools = [...new Set([...report.changedTools, ...ledgers.flatMap((each) => [...each.changedTools])])];
  const sources: Finding[] = ledgers.some((each) => each.findings.has("source-changed")) ? ["source-changed"] : [];
  const lacking: Finding[] = notJudged.length > 0 ? ["run-not-judged"] : [];
  const isIdentical = !["diverged", "incomplete", "continued"].includes(report.verdict);
  const byPlace = ledgers.reduce((sum, each) => sum + each.byPlace, report.byPlace);
  const equal = notJudged.length > 0 ? "incomplete" : identical(byPlace, report.comparedFrom);
  return {
    ...report,
    verdict: first !== null ? "diverged" : isIdentical ? equal : report.verdict,
    byPlace,
    divergence: first === null ? null : divergenceOf(first, all.length > 1),
    runs: all.map(({ judged }) => judged),
    notes: [...report.notes, ...notes],
    findings: [...new Set([...report.findings, ...sources, ...lacking])],
    changedTools,
    refusals,
    // calls that were refused behind the hand-over are among them
    refused: report.refused - countOf(report.refusals) + countOf(refusals),
    socketsRefused: countOf(refusals, "socket"),
  };
}

/** What a run leaves behind is looked at when it ends, and follows from what any of the runs has done. */
const LEFT_BEHIND = new Set([
  "output-changed",
  "stderr-changed",
  "files-changed",
  "database-changed",
  "exit-code-changed",
  "metadata-changed",
]);

function isBefore(a: Judgement, b: Judgement): boolean {
  const [isEffect, isOtherEffect] = [a, b].map(({ judged }) => LEFT_BEHIND.has(judged.divergence?.verdict ?? ""));
  return isEffect === isOtherEffect ? a.found < b.found : isOtherEffect === true;
}

/**
 * The run whose changed result, or absence, explains that another was called with other arguments: it had ended when that one
 * began. Null: there is none.
 */
function sourceOfInput({ judged, time }: Judgement, diverged: readonly Judgement[]): Judgement | null {
  if (judged.divergence?.verdict !== "input-changed" || time === undefined) return null;
  const sources = diverged.filter(
    (each) =>
      each.time !== undefined &&
      each.time.to <= time.from &&
      (wasNotMade(each) || each.judged.divergence?.verdict === "output-changed"),
  );
  return sources.toSorted((a, b) => (a.time?.from ?? 0) - (b.time?.from ?? 0))[0] ?? null;
}

/**
 * The call of an `agent()` that was not made, where another run waits for something that no step holds, as the result of such a call.
 * Null: there is none.
 */
function callNotMade({ judged }: Judgement, diverged: readonly Judgement[]): Judgement | null {
  if (judged.divergence?.verdict !== "unfinished" || judged.divergence.step !== null) return null;
  return diverged.filter(wasNotMade).toSorted((a, b) => (a.time?.from ?? 0) - (b.time?.from ?? 0))[0] ?? null;
}

/** The call that this run is of was not made: the replayed one, or another. */
const wasNotMade = ({ judged: { divergence } }: Judgement): boolean =>
  divergence?.verdict === "missing" && divergence.step === null;

/** Names the run where there are several. */
function divergenceOf({ judged }: Judgement, isOneOfSeveral: boolean): ReplayReport["divergence"] {
  const { divergence, run, name } = judged;
  return divergence === null || !isOneOfSeveral ? divergence : { ...divergence, run, runName: name };
}
