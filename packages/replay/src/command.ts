import { spawn, type StdioOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { INTERRUPTS } from "./child/interrupt.ts";
import { Ledger } from "./verdict/ledger.ts";
import { outcomeOf } from "./verdict/outcome.ts";
import type { ReplayReport } from "./verdict/replay-report.ts";
import { PLAN_VARIABLE, type Mode, preloadPath, type ReplayPlan } from "./child/plan.ts";
import { dropUnchanged } from "./scratch/drop-unchanged.ts";
import type { LiveOptions } from "./live/live-options.ts";
import type { GivenResult } from "./tape/given-results.ts";
import type { Tape } from "./tape/tape.ts";
import { withVault } from "./tape/tape-vault.ts";
import { spentFile } from "./child/spent-file.ts";
import { hiddenVariables, otherVariables, recordedEnvironment } from "./child/environment.ts";

export interface ReplayCommand {
  /** path of the envelope, and its tape */
  envelope: string;
  tape: Tape;
  siblings: string[];
  /** these are all that the process had, unless their numbers have a gap */
  hasSiblings: boolean;
  store: string;
  mode: Mode;
  runTools: string[];
  serveTools: string[];
  allowUnrecordedTools: boolean;
  /** default: none */
  givenResults?: readonly GivenResult[];
  /** which calls are real; default: none */
  live?: LiveOptions | null;
  /** number of the recorded step behind whose answer the replay ends, from 0; default: none */
  until?: number | null;
  /** number of the first recorded step that is compared, from 0; default: all are */
  from?: number;
  /** default: warm */
  call?: ReplayPlan["call"];
  /** headers that the caller gives a recorded request; default: none */
  headers?: ReplayPlan["headers"];
  /** environment variables that keep the caller's value instead of the recorded one */
  ownVariables?: string[];
  /** where the originals of redacted values are looked for: default the store; null: they are not wanted */
  vault?: ReplayPlan["vault"];
  /** the user's command and its arguments */
  command: string[];
  /** file to which each call is appended as it comes, one line of JSON: what later calls show may change its verdict */
  progress?: string | undefined;
  /** milliseconds without an end after which the replay is killed; 0: never */
  timeoutMs: number;
  /** names the processes of this replay for their sealer */
  launch: string;
  /** folder in which the command is started; default: this process's */
  cwd?: string;
  /** gets what the program writes to standard output and standard error, which then is not shown; its standard input is empty */
  onOutput?: (bytes: Uint8Array) => void;
  /** loads the preload from sources: for our own tests */
  conditions?: string[];
}

export interface ReplayResult {
  report: ReplayReport;
  /** folder with copies of the files that the agent wrote; null if it wrote none */
  scratch: string | null;
  /** the command itself could not be started */
  failedToStart: string | null;
}

/** Runs the user's command again in a fresh process group, every step served from the record. */
export async function replayCommand(options: ReplayCommand): Promise<ReplayResult> {
  const folder = join(options.store, "replays", `${options.tape.runId.slice(0, 8)}-${randomBytes(4).toString("hex")}`);
  const scratch = join(folder, "files");
  // copies hold what the program writes, as it writes it
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(scratch);
  const report = join(folder, "report.json");
  const { ownVariables = [], vault = { store: options.store } } = options;
  const tape = withVault(options.tape, vault);
  const plan: ReplayPlan = {
    v: 1,
    envelope: options.envelope,
    siblings: options.siblings,
    hasSiblings: options.hasSiblings,
    mode: options.mode,
    runTools: options.runTools,
    serveTools: options.serveTools,
    allowUnrecordedTools: options.allowUnrecordedTools,
    live: options.live ?? null,
    until: options.until ?? null,
    from: options.from ?? 0,
    givenResults: options.givenResults ?? [],
    call: options.call ?? "warm",
    startedBy: process.pid,
    headers: options.headers ?? [],
    ownVariables,
    unusedVariables: otherVariables(tape, process.env).filter((name) => !ownVariables.includes(name)),
    hiddenVariables: hiddenVariables(tape, process.env, ownVariables),
    report,
    progress: options.progress === undefined ? null : resolve(options.progress),
    scratch,
    store: options.store,
    vault,
  };
  const planFile = join(folder, "plan.json");
  writeFileSync(planFile, JSON.stringify(plan), { mode: 0o600 });
  const started = performance.now();
  const ended = await runChild({ ...options, tape }, planFile);
  const written = readReport(report) ?? unwritten(options, ended, performance.now() - started, spentBy(report));
  for (const file of [planFile, report, spentFile(report)]) rmSync(file, { force: true });
  const copies = dropUnchanged(scratch);
  // what the agent wrote is kept for a look; nothing else of a replay lies about
  if (copies === 0) rmSync(folder, { recursive: true, force: true });
  return { report: written, scratch: copies === 0 ? null : scratch, failedToStart: ended.failure };
}

/** Time for a program to end when it is asked to: it may be in a loop that handles no signal. */
const END_MS = 3000;

interface ChildEnd {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  interrupted: boolean;
  failure: string | null;
}

function runChild(options: ReplayCommand, planFile: string): Promise<ChildEnd> {
  const [file = "", ...args] = options.command;
  const preload = preloadPath();
  const conditions = (options.conditions ?? []).map((c) => `--conditions=${c}`);
  const env: NodeJS.ProcessEnv = {
    ...recordedEnvironment(options.tape, process.env, options.ownVariables),
    [PLAN_VARIABLE]: planFile,
    REENACT_LAUNCH: options.launch,
    NODE_OPTIONS: [process.env["NODE_OPTIONS"], ...conditions, `--import=${quoted(preload)}`].filter(Boolean).join(" "),
  };
  return new Promise((resolve) => {
    const detached = process.platform !== "win32" && !process.stdin.isTTY;
    const { cwd, onOutput } = options;
    const stdio: StdioOptions = onOutput === undefined ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(file, args, { stdio, env, detached, ...(cwd === undefined ? {} : { cwd }) });
    if (onOutput !== undefined) for (const stream of [child.stdout, child.stderr]) stream?.on("data", onOutput);
    let timedOut = false;
    let interrupted: NodeJS.Timeout | undefined;
    const kill = (signal: NodeJS.Signals): void => {
      try {
        if (detached && child.pid !== undefined) process.kill(-child.pid, signal);
        else child.kill(signal);
      } catch {
        // gone already
      }
    };
    // what a terminal sends it has sent to all of its group, the child among them
    const forward = (signal: NodeJS.Signals): void => {
      interrupted ??= setTimeout(() => kill("SIGKILL"), END_MS);
      if (detached || signal === "SIGTERM") kill(signal);
    };
    for (const signal of INTERRUPTS) process.on(signal, forward);
    const clock =
      options.timeoutMs > 0
        ? setTimeout(() => {
            timedOut = true;
            kill("SIGKILL");
          }, options.timeoutMs)
        : undefined;
    const done = (end: Omit<ChildEnd, "timedOut" | "interrupted">): void => {
      clearTimeout(clock);
      clearTimeout(interrupted);
      for (const signal of INTERRUPTS) process.off(signal, forward);
      resolve({ ...end, timedOut, interrupted: interrupted !== undefined });
    };
    child.on("error", (error) => done({ code: null, signal: null, failure: error.message }));
    // with pipes, once they have been read to their end
    child.on(onOutput === undefined ? "exit" : "close", (code, signal) => done({ code, signal, failure: null }));
  });
}

function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? JSON.stringify(path) : path;
}

function readReport(file: string): ReplayReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ReplayReport;
  } catch {
    return null;
  }
}

/** US dollars that the child had counted when it ended; 0: none, or it has left no file. */
function spentBy(report: string): number {
  try {
    return Number(readFileSync(spentFile(report), "utf8")) || 0;
  } catch {
    return 0;
  }
}

/** The child left no report: it never ended, was killed, or never loaded the preload. */
function unwritten(options: ReplayCommand, end: ChildEnd, durationMs: number, spent: number): ReplayReport {
  const ledger = new Ledger(options.tape);
  const stopped: NonNullable<ReplayReport["stopped"]> = end.interrupted
    ? { reason: "interrupted", message: "interrupted; the program did not react and was killed" }
    : end.timedOut
      ? { reason: "timeout", message: `the program did not end within ${options.timeoutMs} ms; it was killed` }
      : end.signal !== null
        ? { reason: "killed", message: `the program was killed by ${end.signal}` }
        : { reason: "not-loaded", message: "the program ended without loading the replay: is it a Node program?" };
  const code = end.signal === null ? end.code : 128 + (constants.signals[end.signal as NodeJS.Signals] ?? 0);
  const report = outcomeOf(ledger, {
    run: null,
    missing: 0,
    exitCode: code,
    effects: null,
    output: null,
    durationMs,
    stopped,
  });
  if (!options.live || stopped.reason === "not-loaded") return report;
  const unknown =
    spent > 0
      ? "what it sent before that is not known; what that cost is known of the calls that had ended"
      : "what it sent before that is not known, nor what that cost";
  // a signal from outside says nothing of the program
  const ended = stopped.reason === "killed" ? ({ verdict: "incomplete", divergence: null } as const) : {};
  return { ...report, ...ended, costUsd: null, costKnownUsd: spent, notes: [...report.notes, unknown] };
}
