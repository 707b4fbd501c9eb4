import { renameTokens } from "@reenact/envelope";
import type { RunContext } from "@reenact/capture/recorder";
import type { RunEffects } from "@reenact/node";
import { compareEffects, type EffectsNow, OR_READS } from "../effects/effects.ts";
import type { AgentOutput } from "../effects/output-of.ts";
import type { Difference } from "../match/difference.ts";
import type { ComparedValue } from "../match/value-marks.ts";
import { redactionHint } from "../match/redaction-cause.ts";
import { slotOf } from "../tape/tape.ts";
import type { Ledger } from "./ledger.ts";
import { countOf } from "../guard/refusals.ts";
import { identical, type ReplayReport } from "./replay-report.ts";
import { unrunBodies } from "./unrun-bodies.ts";

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

/** An effect that was refused is the cause of what goes wrong behind it. */
export function blameRefusal(ledger: Ledger): void {
  const [first] = ledger.refused;
  if (first === undefined) return;
  const now = `${first.kind} ${first.target}`;
  const why = first.kind === "socket" ? " (HTTP/2 and plain sockets are not replayed)" : "";
  const cause = `an effect outside the record was refused: ${now}${why}`;
  ledger.diverged(null, null, "leak", { pointer: "", recorded: null, now }, cause);
}

/** The result of an `agent()` call. */
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
    `the agent's result differs though every call was served: the code makes something else of them now, ${OR_READS}${redactionHint(ledger.tape)}`,
  );
}

/** Draws the sum: diverged beats incomplete, and equal emptiness is no match. */
export function outcomeOf(ledger: Ledger, ending: Ending): ReplayReport {
  const { tape, findings } = ledger;
  const calls = ledger.calls;
  const { root } = tape;
  const recordedCode = root.process?.exitCode ?? null;
  const stoppedShort = ending.stopped !== null && ending.stopped.reason !== "strict" && !isDeath(ending.stopped);
  if (ending.stopped === null) blameRefusal(ledger);
  const isWhole = !stoppedShort && ending.stopped === null && tape.complete;
  if (isWhole && ending.effects !== null) compareEffects(ledger, ending.effects);
  if (root.trigger === "process" && isWhole) {
    if (recordedCode !== null && ending.exitCode !== null && recordedCode !== ending.exitCode) {
      findings.add("exit-code-changed");
      ledger.diverged(
        null,
        null,
        "exit-code-changed",
        { pointer: "", recorded: recordedCode, now: ending.exitCode },
        `exit code ${ending.exitCode}, recorded ${recordedCode}`,
      );
    }
  }
  if (root.trigger === "function" && ending.stopped === null) compareResult(ledger, ending);
  if (isDeath(ending.stopped)) ledger.diverged(null, null, ending.stopped.reason, null, ending.stopped.message);
  const served = calls.filter(
    (c) => c.verdict !== "missing" && c.verdict !== "extra" && c.verdict !== "exhausted" && c.verdict !== "covered",
  );
  const recorded = new Set(served.map((c) => c.slot)).size - ledger.edited;
  if (served.length === 0 && !stoppedShort && ending.isSibling !== true && root.surrounding !== true) {
    findings.add("no-substance");
    ledger.diverged(
      null,
      null,
      "no-substance",
      null,
      "not one recorded step was served: a replay without substance is no match",
    );
  }
  if (ledger.refused.length > 0) findings.add("leak");
  const { divergence } = ledger;
  const endedEarly =
    divergence?.verdict === "missing" &&
    ledger.refused.length === 0 &&
    recordedCode !== null &&
    ending.exitCode !== null &&
    ending.exitCode !== recordedCode &&
    served.every(({ step }) => step < (divergence.step ?? 0));
  const incomplete = !tape.complete || stoppedShort;
  const unrun = unrunBodies(ledger);
  if (!tape.complete) findings.add("truncated-recording");
  return {
    schemaVersion: 1,
    run: ending.run,
    parent: tape.runId,
    verdict: divergence !== null ? "diverged" : incomplete ? "incomplete" : identical(ledger.byPlace),
    byPlace: ledger.byPlace,
    steps: new Set(tape.ordered.map((s) => slotOf(s.record))).size,
    recorded,
    live: ledger.live,
    edited: ledger.edited,
    refused: countOf(ledger.refused),
    missing: ending.missing,
    leaks: (root.leaks ?? []).length,
    sockets: 0,
    socketsRefused: countOf(ledger.refused, "socket"),
    costUsd: 0,
    findings: [...findings],
    changedTools: [...ledger.changedTools],
    calls,
    divergence: endedEarly
      ? {
          ...divergence,
          cause: `the program ended with exit code ${ending.exitCode} (recorded: ${recordedCode}) before it: ${divergence.cause}`,
        }
      : divergence,
    notes: [...ledger.notes, ...comparedByPlace(ledger), ...(unrun === null ? [] : [unrun])],
    refusals: ledger.refused,
    exitCode: { recorded: recordedCode, now: ending.exitCode },
    durationMs: ending.durationMs,
    runs: [],
    stopped: ending.stopped,
  };
}

const sameButTokens = (recorded: string, now: string): boolean => renameTokens(recorded) === renameTokens(now);

const DEATHS = new Set<string>(["timeout", "killed", "not-loaded", "no-progress"]);

/** The program never came to the end at which it would have been judged. */
function isDeath(stopped: ReplayReport["stopped"]): stopped is NonNullable<ReplayReport["stopped"]> {
  return stopped !== null && DEATHS.has(stopped.reason);
}

/** Exit code of the `replay` command. */
export function exitCodeOf(report: ReplayReport): 0 | 10 | 11 {
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
