import { readFileSync } from "node:fs";
import { readEnvelope } from "@reenact/envelope/file";
import type { Ended, RunSummary, Store } from "../e2e/reenact.ts";
import type { ReplayReport } from "@reenact/replay";

/** A program that is recorded once, and replayed unchanged when nobody answers it any more. */
export interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** for standard input */
  readonly input?: string;
  /** makes its folder as it was, before it is recorded and before it is replayed */
  prepare?(): void;
}

export interface Recorded {
  readonly program: Program;
  readonly ended: Ended & { summary: RunSummary };
}

/** What became of one program. */
export interface Outcome {
  readonly program: string;
  readonly runs: number;
  /** recorded steps of all runs */
  readonly steps: number;
  /** calls that the replay judged, by their verdict */
  readonly exact: number;
  readonly equivalent: number;
  readonly otherCalls: number;
  /** opened or tried */
  readonly sockets: number;
  /** null: it replayed as it was recorded; a program without a run has nothing to replay */
  readonly problem: string | null;
}

const PATIENCE_MS = 120_000;

export async function record(program: Program, store: Store): Promise<Recorded> {
  const { command, env = {}, cwd, input } = program;
  const options = {
    env,
    timeoutMs: PATIENCE_MS,
    ...(cwd !== undefined && { cwd }),
    ...(input !== undefined && { input }),
  };
  program.prepare?.();
  return { program, ended: await store.run(command, options) };
}

/** Replays what `record` has recorded. */
export async function replay({ program, ended }: Recorded, store: Store): Promise<Outcome> {
  const { name, command, env = {}, cwd, input } = program;
  const { summary, stdout } = ended;
  const nothing = { program: name, runs: 0, steps: 0, exact: 0, equivalent: 0, otherCalls: 0, sockets: 0 };
  if (summary.run === null) return { ...nothing, problem: null };
  const envelopes = summary.runs.map((run) => readEnvelope(readFileSync(store.path(run))));
  const counted = {
    ...nothing,
    runs: envelopes.length,
    steps: envelopes.reduce((sum, { steps }) => sum + steps.length, 0),
  };
  if (!summary.complete) return { ...counted, problem: `recorded incomplete: ${summary.incompleteReasons.join("; ")}` };
  program.prepare?.();
  const replayed = await store.replay(summary.run, command, {
    env,
    timeoutMs: PATIENCE_MS,
    ...(cwd !== undefined && { cwd }),
    ...(input !== undefined && { input }),
  });
  const { report } = replayed;
  const calls = (verdict: string): number => report.calls.filter((call) => call.verdict === verdict).length;
  const [exact, equivalent] = [calls("exact"), calls("equivalent")];
  const same = replayed.stdout === stdout;
  return {
    ...counted,
    exact,
    equivalent,
    otherCalls: report.calls.length - exact - equivalent,
    sockets: report.sockets + report.socketsRefused,
    problem: problemOf(report) ?? (same ? null : "it prints something else"),
  };
}

function problemOf({ verdict, divergence, stopped, runs }: ReplayReport): string | null {
  const odd = runs.find((run) => !run.verdict.startsWith("identical"));
  if (verdict.startsWith("identical") && odd === undefined) return null;
  const cause = divergence ?? odd?.divergence;
  return `${verdict}: ${stopped?.message ?? cause?.cause ?? odd?.verdict ?? "no cause"}`;
}
