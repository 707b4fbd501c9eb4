import type { Answered } from "../live/continuation.ts";
import type { Call } from "./call-entry.ts";
import type { Refusal } from "../guard/refusals.ts";
import type { Divergence, Finding } from "./verdict.ts";

/** `identical (3 values by place)`: equal as far as it can be told without the values that redaction has replaced. */
export type ReplayVerdict =
  | "identical"
  | `identical (${number} ${"value" | "values"} by place)`
  /** `--from`: the steps before this one were not compared */
  | `identical from step ${number}${"" | ` (${number} ${"value" | "values"} by place)`}`
  | "diverged"
  | "incomplete"
  /** as recorded up to a step, then on its own, with live calls, to a good end */
  | "continued";

/**
 * `not-begun`: recorded, and this process never began it. `not-recorded`: the recorded process has no such run.
 * `not-judged`: its record is not at hand.
 */
export type RunVerdict = ReplayVerdict | "not-begun" | "not-recorded" | "not-judged";

/** What a replay says of one run of the process. */
export interface JudgedRun {
  /** id of the recorded run; null where there is none at hand */
  run: string | null;
  name: string;
  verdict: RunVerdict;
  /** recorded steps that were served */
  steps: number;
  divergence: Divergence | null;
}

/** Where a replay has left its record. */
export interface ContinuedFacts {
  /** so many steps were as recorded */
  behind: number;
  /** in words */
  why: string;
  /** `fixed`: the recorded run failed, and this one did not; `ended`: to a good end, as the recorded one */
  outcome: "fixed" | "ended" | "broken" | "stopped";
}

/** JSON of one replay. Fields are only ever added. */
export interface ReplayReport {
  schemaVersion: 1;
  /** the run that this replay is; null if it wrote none */
  run: string | null;
  parent: string;
  verdict: ReplayVerdict;
  /** number of the first step that was compared, from 1; absent: all were */
  comparedFrom?: number;
  /** redacted values that were compared by their place only: they have tokens of another key, or masks */
  byPlace: number;
  steps: number;
  recorded: number;
  live: number;
  edited: number;
  /** of the edited steps, those that returned what the caller gave; absent in reports of older versions */
  given?: number;
  refused: number;
  missing: number;
  leaks: number;
  /** connections that were opened to anything but ports on which the program itself listens */
  sockets: number;
  /** connections that were refused */
  socketsRefused: number;
  /** US dollars for the live calls, by the usage that they report; null: of some it is not known */
  costUsd: number | null;
  /** the part of it that is known; absent: nothing went live */
  costKnownUsd?: number;
  findings: Finding[];
  /** names of served tools and steps whose source is not what it was */
  changedTools: string[];
  /** `answer`: where the answer came from; only in a replay that continued beyond its record */
  calls: (Call & { answer?: Answered })[];
  divergence: Divergence | null;
  /** every run of the process, the replayed one first */
  runs: JudgedRun[];
  notes: string[];
  refusals: Refusal[];
  exitCode: { recorded: number | null; now: number | null };
  durationMs: number;
  /** why the replay stopped early; null if it did not */
  stopped: {
    reason:
      | "unrecorded-tools"
      | "recording-ends"
      | "strict"
      | "timeout"
      | "killed"
      | "not-loaded"
      | "interrupted"
      | "no-progress"
      | "until"
      | "diverged"
      | "no-key"
      | "redacted-value"
      | "not-sendable"
      | "unknown-host"
      | "max-cost";
    message: string;
  } | null;
  /** absent: the replay did not leave its record */
  continued?: ContinuedFacts;
}

/** The verdict of equal runs. `from`: number of the first step that was compared, from 1. */
export function identical(byPlace: number, from = 1): ReplayVerdict {
  const place = byPlace === 0 ? "" : (` (${byPlace} ${byPlace === 1 ? "value" : "values"} by place)` as const);
  return from === 1 ? `identical${place}` : `identical from step ${from}${place}`;
}
