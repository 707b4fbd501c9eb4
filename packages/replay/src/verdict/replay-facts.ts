import type { RunContext } from "@reenact/capture/recorder";
import type { ReplayFacts } from "@reenact/envelope/schema";
import type { Session } from "../session.ts";
import type { ReplayReport } from "./replay-report.ts";

/** Characters: the whole cause is in the report. */
const LONGEST_CAUSE = 1000;

/** What a run of a replay says of itself before the replay has ended; one that no record fits names the run that was to be replayed. */
export function earlyReplayFacts(session: Session, run: RunContext, mode: string): ReplayFacts {
  const { tape } = session.ledgerOf(run);
  const isServed = run === session.targetRun || tape !== session.ledger.tape;
  return { of: tape.runId, mode, verdict: isServed ? "incomplete" : "not-recorded" };
}

/** The same with the verdict of the replay: the replayed run's is that of its whole process, as the report says it. */
export function replayFactsAfter(before: ReplayFacts, report: ReplayReport): ReplayFacts {
  if (before.verdict === "not-recorded") return before;
  const judged = before.of === report.parent ? report : report.runs.find(({ run }) => run === before.of);
  if (judged === undefined) return before;
  const { verdict, divergence } = judged;
  const { continued } = report;
  const left =
    continued === undefined || before.of !== report.parent
      ? {}
      : { continued: { behind: continued.behind, outcome: continued.outcome, answers: answersBehind(report) } };
  if (divergence === null) return { ...before, ...left, verdict };
  const { step, slot, cause, run } = divergence;
  return {
    ...before,
    ...left,
    verdict,
    divergence: {
      step,
      slot,
      verdict: divergence.verdict,
      cause: cause.slice(0, LONGEST_CAUSE),
      ...(run !== undefined && run !== before.of && { run }),
    },
  };
}

function answersBehind({ calls, continued }: ReplayReport): Record<string, string> {
  const behind = calls.slice(continued?.behind ?? 0);
  return Object.fromEntries(behind.flatMap(({ step, answer }) => (answer === undefined ? [] : [[step, answer]])));
}
