import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveReplay, ReplayOptions } from "@reenact/collector";
import type { ReplayReport } from "@reenact/replay";
import { environment } from "../process/environment.ts";
import type { LivePlan } from "../replay/live-plan.ts";

/** A replay that does not end by itself ends after so long, seconds. */
const TIMEOUT = 600;
/** `reenact replay` kills its program itself when that does not end; after so long it is killed, too. Milliseconds. */
const CANCEL_MS = 10_000;
/** Characters at the end of standard error that are kept for a message. */
const KEPT = 8192;

export type ProgressCall = ReplayReport["calls"][number];

export interface ReplayEnd<Report = ReplayReport> {
  readonly report: Report | null;
  /** why there is none */
  readonly failure: string | null;
}

export interface ReplayProcess<Report = ReplayReport> {
  readonly ended: Promise<ReplayEnd<Report>>;
  /** The calls so far, in order. */
  calls(): readonly ProgressCall[];
  cancel(): void;
}

/** What a replay may send: chosen in a page, but for the limits, which the command line gave. */
export interface GivenLive extends Pick<LiveReplay, "fork" | "edits"> {
  readonly maxCost: number;
  /** absolute */
  readonly prices: string;
  readonly to: readonly string[];
}

interface What extends ReplayOptions {
  /** null: nothing is sent */
  readonly live: GivenLive | null;
  readonly run: string;
  readonly command: readonly string[];
  /** absolute */
  readonly store: string;
  readonly project: string;
  /** key of the collector; undefined: it asks for none */
  readonly key: string | undefined;
}

/** Starts `reenact replay` of a run in a process of its own. */
export const startReplayProcess = (what: What): ReplayProcess => startProcess<ReplayReport>(what, []);

/** Starts a process that says what a replay would send, and starts no program. */
export const startPlanProcess = (what: What): ReplayProcess<LivePlan> => startProcess<LivePlan>(what, ["--dry-run"]);

function startProcess<Report>(what: What, more: readonly string[]): ReplayProcess<Report> {
  const { run, runTools, set, live, command, store, project, key } = what;
  const folder = mkdtempSync(join(tmpdir(), "reenact-workbench-"));
  const [report, progress] = [join(folder, "report.json"), join(folder, "calls.jsonl")];
  const options = ["--store", store, "--json-file", report, "--progress-file", progress, "--timeout", String(TIMEOUT)];
  const changed = [
    ...runTools.map((name) => `--run-tool=${name}`),
    ...set.map((each, at) => givenOption(each, join(folder, `given-${at}`))),
    ...(live === null ? [] : liveOptionsOf(live, folder)),
  ];
  const args = [process.argv[1] ?? "", "replay", run, "--quiet", ...options, ...changed, ...more, "--", ...command];
  const env = { ...environment(), ...(key !== undefined && { REENACT_API_KEY: key }) };
  // the channel closes when this process ends, however it ends, and the replay ends itself then
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let known: readonly ProgressCall[] = [];
  const calls = (): readonly ProgressCall[] => (known = callsIn(progress) ?? known);
  const ended = endOf(child).then(({ written }): ReplayEnd<Report> => {
    calls();
    const read = reportIn<Report>(report);
    removeFolder(folder);
    return { report: read, failure: read === null ? failureIn(written) : null };
  });
  return { ended, calls, cancel: canceller(child) };
}

/** Ends a process by a signal, and later by force. */
export function canceller(child: ChildProcess): () => void {
  let killer: NodeJS.Timeout | undefined;
  child.once("exit", () => clearTimeout(killer));
  return () => {
    child.kill("SIGTERM");
    killer ??= setTimeout(() => child.kill("SIGKILL"), CANCEL_MS);
  };
}

/** The value comes in a file: it may be long, and the list of processes shows arguments. */
function givenOption({ form, name, n, value, isJson }: ReplayOptions["set"][number], path: string): string {
  const file = `${path}${isJson ? ".json" : ".txt"}`;
  writeFileSync(file, value, { mode: 0o600 });
  return `--set=${form}.${name}@${n}=@${file}`;
}

/** Texts come in files, too. */
function liveOptionsOf({ fork, edits, maxCost, prices, to }: GivenLive, folder: string): string[] {
  const edited = edits.map(({ what, name, value }, at) => {
    const part = what === "prompt" ? `prompt.${fork}` : what === "params" ? `params.${name ?? ""}` : what;
    const file = join(folder, `edit-${at}${what === "params" ? ".json" : ".txt"}`);
    writeFileSync(file, value, { mode: 0o600 });
    return `--set=${part}=@${file}`;
  });
  const limits = [`--max-cost=${maxCost.toFixed(9)}`, `--prices=${prices}`, ...to.map((host) => `--to=${host}`)];
  return [`--fork=${fork}`, ...limits, ...edited];
}

/** What it wrote to standard error, once it has ended, and its exit code; null: a signal ended it. */
export function endOf(child: ChildProcess): Promise<{ readonly written: string; readonly code: number | null }> {
  let text = "";
  child.stderr?.on("data", (bytes: Buffer) => (text = `${text}${bytes.toString()}`.slice(-KEPT)));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ written: error.message, code: null }));
    // a program that the replay has left behind may hold the pipe
    child.on("exit", (code) => setImmediate(() => resolve({ written: text, code })));
  });
}

/** The line of the command itself; what the program printed stays where it was printed. */
export function failureIn(written: string, otherwise = "the replay ended without a report"): string {
  const lines = written.trim().split("\n");
  return lines.findLast((line) => /\bREEN-[A-Z-]+/.test(line)) ?? otherwise;
}

/** A program that was left behind may still write there. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // it lies among temporary files
  }
}

/** Null: the file is not there. A line that is not whole yet comes later; one that a full disk has cut never does. */
function callsIn(file: string): ProgressCall[] | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.flatMap(callIn);
}

function callIn(line: string): ProgressCall[] {
  try {
    return [JSON.parse(line) as ProgressCall];
  } catch {
    return [];
  }
}

function reportIn<Report>(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return null;
  }
}
