import { renameTokens } from "@reenact/envelope";
import type { RunContext } from "@reenact/capture/recorder";
import type { RunEffects } from "@reenact/node";
import { compareEffects, type EffectsNow, OR_READS } from "../effects/effects.ts";
import type { AgentOutput } from "../effects/output-of.ts";
import type { Difference } from "../match/difference.ts";
import type { ComparedValue } from "../match/value-marks.ts";
import { redactionHint, shownRedaction } from "../match/redaction-cause.ts";
import { slotOf } from "../tape/tape.ts";
import { countGiven, givenNotes, reportGiven } from "./given-effects.ts";
import type { Call } from "./call-entry.ts";
import type { Ledger } from "./ledger.ts";
import { compareResponse } from "./compare-response.ts";
import { countOf } from "../guard/refusals.ts";
import { identical, type ReplayReport } from "./replay-report.ts";
import { unrunBodies } from "./unrun-bodies.ts";
import type { CallVerdict, Divergence } from "./verdict.ts";

export interface Ending {
  run: string | null;
  missing: number;
  exitCode: number | null;
  /** null: they are not judged */
  effects: EffectsNow | null;
  output: AgentOutput | null;
  /** what went uncaught; undefined: nothing */
  error?: unknown;
  durationMs: number;
  stopped: ReplayReport["stopped"];
  /** whether two values in their typed encoding are the same in this run; default: equal but for redaction tokens */
  isSameValue?(recorded: string, now: string): boolean;
  /** where two equal values hold other redacted ones; null: nowhere */
  markedValue?(marks: ComparedValue): Difference | null;
  /** the process ended amid it, as when it was recorded: what is left of the record is not compared */
  isCutShort?: boolean;
  /** another run of the process than the replayed one */
  isSibling?: boolean;
}

/** How the agent ended. */
export type AgentEnding = Omit<
  Ending,
  "run" | "missing" | "stopped" | "output" | "isSibling" | "isSameValue" | "markedValue" | "effects"
> & {
  effectsOf(run: RunContext | null): RunEffects;
};

/** A refused effect is the cause of every difference after it. */
export function blameRefusal(ledger: Ledger): void {
  const [first] = ledger.refused;
  if (first === undefined) return;
  const now = `${first.kind} ${first.target}`;
  const why = first.kind === "socket" ? " (gRPC and plain sockets are not replayed)" : "";
  const cause = `an effect outside the record was refused: ${now}${why}`;
  ledger.diverged(null, null, "leak", { pointer: "", recorded: null, now }, cause);
}

/** The result of an `agent()` call, or of a job. */
function compareResult(ledger: Ledger, { output, isSameValue = sameButTokens, markedValue }: Ending): void {
  const { root } = ledger.tape;
  if (output === null || root.output === undefined) return;
  const marks = { recorded: root.outputMarks, now: output.marks };
  const difference = !isSameValue(root.output, output.text)
    ? { pointer: "", recorded: root.output, now: output.text }
    : (markedValue?.(marks) ?? null);
  if (difference === null) return;
  ledger.diverged(
    null,
    null,
    "output-changed",
    difference,
    `the ${root.trigger === "job" ? "job" : "agent"}'s result differs though every call was served: ${
      shownRedaction(difference, ledger.tape, (token) => token) ??
      `the code makes something else of them now, ${OR_READS}${redactionHint(ledger.tape)}`
    }`,
  );
}

function compareExitCode(ledger: Ledger, { exitCode }: Ending): void {
  const recorded = ledger.tape.root.process?.exitCode ?? null;
  if (recorded === null || exitCode === null || recorded === exitCode) return;
  ledger.findings.add("exit-code-changed");
  ledger.diverged(
    null,
    null,
    "exit-code-changed",
    { pointer: "", recorded, now: exitCode },
    `exit code ${exitCode}, recorded ${recorded}`,
  );
}

/** Names another exit code in the cause of a missing call, if the program ended before that call. */
function withEarlyEnd(
  divergence: Divergence,
  ledger: Ledger,
  { exitCode }: Ending,
  served: readonly Call[],
): Divergence {
  const recorded = ledger.tape.root.process?.exitCode ?? null;
  const isOtherCode = recorded !== null && exitCode !== null && exitCode !== recorded;
  if (divergence.verdict !== "missing" || ledger.refused.length > 0 || !isOtherCode) return divergence;
  if (!served.every(({ step }) => step < (divergence.step ?? 0))) return divergence;
  const cause = `the program ended with exit code ${exitCode} (recorded: ${recorded}) before it: ${divergence.cause}`;
  return { ...divergence, cause };
}

/** Derives the verdict: `diverged` beats `incomplete`, and a replay that served nothing is not identical. */
export function outcomeOf(ledger: Ledger, ending: Ending): ReplayReport {
  const { tape, findings, calls } = ledger;
  const { root } = tape;
  const isUntil = ending.stopped?.reason === "until";
  const stoppedShort = isStoppedShort(ending);
  compareEnding(ledger, ending);
  const served = calls.filter(({ verdict }) => !NOT_SERVED.has(verdict));
  const given = countGiven(ledger);
  const recorded = new Set(served.map((c) => c.slot)).size - ledger.edited - given;
  if (served.length === 0 && !stoppedShort && !isUntil) reportNoSubstance(ledger, ending);
  if (ledger.refused.length > 0) findings.add("leak");
  const { divergence } = ledger;
  const isTruncated = !tape.complete && !isUntil;
  const unrun = unrunBodies(ledger);
  if (isTruncated) findings.add("truncated-recording");
  return {
    schemaVersion: 1,
    run: ending.run,
    parent: tape.runId,
    verdict: verdictOf(ledger, isTruncated || stoppedShort),
    ...(ledger.compared.from === 0 ? {} : { comparedFrom: ledger.compared.from + 1 }),
    byPlace: ledger.byPlace,
    steps: new Set(tape.ordered.map((s) => slotOf(s.record))).size,
    recorded,
    live: ledger.live,
    edited: ledger.edited + given,
    given,
    refused: countOf(ledger.refused),
    missing: ending.missing,
    leaks: (root.leaks ?? []).length,
    sockets: 0,
    socketsRefused: countOf(ledger.refused, "socket"),
    costUsd: 0,
    findings: [...findings],
    changedTools: [...ledger.changedTools],
    calls,
    divergence: divergence === null ? null : withEarlyEnd(divergence, ledger, ending, served),
    notes: [
      ...ledger.compared.notes,
      ...ledger.notes,
      ...givenNotes(ledger),
      ...comparedByPlace(ledger),
      ...(unrun === null ? [] : [unrun]),
    ],
    refusals: ledger.refused,
    exitCode: { recorded: root.process?.exitCode ?? null, now: ending.exitCode },
    durationMs: ending.durationMs,
    runs: [],
    stopped: ending.stopped,
  };
}

const verdictOf = ({ divergence, byPlace, compared }: Ledger, isIncomplete: boolean): ReplayReport["verdict"] =>
  divergence !== null ? "diverged" : isIncomplete ? "incomplete" : identical(byPlace, compared.from + 1);

/** It ended before the program did, and nobody asked for that. */
function isStoppedShort({ stopped, isCutShort = false }: Ending): boolean {
  if (isCutShort) return true;
  return stopped !== null && stopped.reason !== "strict" && stopped.reason !== "until" && !isDeath(stopped);
}

/** Compares what the run left behind, and reports a program that did not come to its end. */
function compareEnding(ledger: Ledger, ending: Ending): void {
  const { root, complete } = ledger.tape;
  const { stopped, effects } = ending;
  if (stopped !== null) {
    if (isDeath(stopped)) ledger.diverged(null, null, stopped.reason, null, stopped.message);
    return;
  }
  blameRefusal(ledger);
  if (complete && root.answered !== true && effects !== null) compareEffects(ledger, effects);
  if (complete && root.trigger === "process") compareExitCode(ledger, ending);
  if (root.trigger === "function" || root.trigger === "job") compareResult(ledger, ending);
  if (root.trigger === "request") compareResponse(ledger, ending);
  reportGiven(ledger);
}

/**
 * A replay that served nothing shows nothing. A run beside the replayed one, or around it, may have no step, and so may a call of an
 * `agent()`: its arguments and what it came to are compared.
 */
function reportNoSubstance(ledger: Ledger, { isSibling, output }: Ending): void {
  const { root, complete, ordered } = ledger.tape;
  if (isSibling === true || root.surrounding === true) return;
  if (root.trigger === "function" && complete && ordered.length === 0 && root.output !== undefined && output !== null)
    return;
  ledger.findings.add("no-substance");
  ledger.diverged(
    null,
    null,
    "no-substance",
    null,
    "not one recorded step was served: a replay without substance is no match",
  );
}

const NOT_SERVED: ReadonlySet<CallVerdict> = new Set(["missing", "extra", "exhausted", "covered"]);

const sameButTokens = (recorded: string, now: string): boolean => renameTokens(recorded) === renameTokens(now);

const DEATHS = new Set<string>(["timeout", "killed", "not-loaded", "no-progress"]);

/** The program never came to the end at which it would have been judged. */
function isDeath(stopped: ReplayReport["stopped"]): stopped is NonNullable<ReplayReport["stopped"]> {
  return stopped !== null && DEATHS.has(stopped.reason);
}

/** Exit code of the `replay` command. */
export function exitCodeOf(report: ReplayReport): 0 | 10 | 11 | 12 {
  if (report.stopped?.reason === "max-cost") return 12;
  switch (report.verdict) {
    case "diverged":
      return 10;
    case "incomplete":
      return 11;
    default:
      return 0;
  }
}

function comparedByPlace({ byPlace, idsByPlace }: Ledger): string[] {
  const values = byPlace === 1 ? "1 redacted value was" : `${byPlace} redacted values were`;
  const ids = idsByPlace === 1 ? "1 id was" : `${idsByPlace} ids were`;
  return [
    ...(byPlace === 0
      ? []
      : [`${values} compared by place only: the tokens of the recording were made with another key, or are masks`]),
    ...(idsByPlace === 0 ? [] : [`${ids} compared by place only: a step that ran live has minted others`]),
  ];
}
