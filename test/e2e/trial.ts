import { join } from "node:path";
import { type Load, underLoad } from "./load.ts";
import type { Ended, RunSummary, Store } from "./reenact.ts";
import type { ReplayReport } from "@reenact/replay";

export type Recorded = Ended & { summary: RunSummary };
export type Replayed = Ended & { report: ReplayReport };

export interface Trial {
  /** its file, without its ending, in `programs` */
  readonly program: string;
  /** folder of the programs; default: the one of the turn cases */
  readonly programs?: string;
  readonly env: Readonly<Record<string, string>>;
  /** arguments that the program is recorded, and replayed, with */
  readonly args?: readonly string[];
  readonly changed?: readonly string[];
  readonly flags?: readonly string[];
  readonly load?: Load;
  readonly timeoutMs?: number;
}

/** Records a program and replays it. */
export async function tryOut(store: Store, trial: Trial): Promise<{ recorded: Recorded; replayed: Replayed }> {
  const { load = "none", args = [], changed = args, flags = [], env, timeoutMs = 60_000 } = trial;
  const file = join(trial.programs ?? TURNS, `${trial.program}.mjs`);
  const record = (): Promise<Recorded> => store.run([process.execPath, file, ...args], { env, timeoutMs });
  const recorded = load === "recording" ? await underLoad(record) : await record();
  const { run } = recorded.summary;
  if (run === null) throw new Error(`nothing was recorded: exit ${recorded.code}: ${recorded.stderr.slice(0, 1000)}`);
  const replay = (): Promise<Replayed> =>
    store.replay(run, [process.execPath, file, ...changed], { env, flags, timeoutMs });
  return { recorded, replayed: load === "replaying" ? await underLoad(replay) : await replay() };
}

export const TURNS = join(import.meta.dirname, "../programs/turns");

/** What keeps a replay from being identical to its recording; null if nothing does. */
export function difference(recorded: Recorded, replayed: Replayed): string | null {
  const { report } = replayed;
  const says = `${report.verdict} ${JSON.stringify(report.divergence)} ${report.findings.join()}`;
  if (recorded.stdout === "") return `nothing was printed: ${recorded.stderr.slice(0, 1000)}`;
  if (!recorded.summary.complete)
    return `the recording is incomplete: ${recorded.summary.incompleteReasons.join("; ")}`;
  if (replayed.stdout !== recorded.stdout)
    return `another output: ${says}\n--- recorded\n${recorded.stdout}--- replayed\n${replayed.stdout}`;
  if (replayed.stderr !== recorded.stderr)
    return `another error output: ${says}\n--- recorded\n${recorded.stderr}--- replayed\n${replayed.stderr}`;
  if (report.verdict !== "identical" || replayed.code !== 0) return says;
  if (report.findings.includes("noted-difference")) return report.notes.join("; ");
  if (report.exitCode.now !== recorded.code) return `exit code ${report.exitCode.now}, recorded ${recorded.code}`;
  if (report.socketsRefused !== 0) return `${report.socketsRefused} connections tried`;
  return null;
}
