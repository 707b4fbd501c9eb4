import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync, writeFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { isLive, live, originals, raise, recorder, showEnvironment } from "@reenact/capture/recorder";
import { findTokens, renameTokens } from "@reenact/envelope";
import type { ReplayFacts } from "@reenact/envelope/schema";
import { startRecording } from "@reenact/node";
import { callAgents } from "./call-agents.ts";
import { endWhenServed } from "./end-when-served.ts";
import { endWithoutProgress } from "./end-without-progress.ts";
import { installGuard } from "../guard/guard.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { onInterrupt } from "./interrupt.ts";
import { withGivenResults } from "../tape/given-results.ts";
import { loadTape } from "../tape/load-tape.ts";
import { spentFile } from "./spent-file.ts";
import { earlyReplayFacts, replayFactsAfter } from "../verdict/replay-facts.ts";
import type { ReplayReport } from "../verdict/replay-report.ts";
import { preloadPath, type ReplayPlan } from "./plan.ts";
import { recordedDisk, type RecordedDisk } from "../scratch/recorded-disk.ts";
import { showRecordedMachine } from "./recorded-machine.ts";
import { showRecordedTerminals } from "./recorded-terminals.ts";
import { refuser } from "../guard/refusal.ts";
import { installScratch } from "../scratch/scratch.ts";
import { outsideAnswers } from "../serve/outside-answers.ts";
import { Session } from "../session.ts";
import type { Tape } from "../tape/tape.ts";
import { blameThreads, threadRefusals, threadRefuser } from "../guard/thread-refusals.ts";
import { shownEnvironment } from "./environment.ts";
import { listed } from "../verdict/listed.ts";

/** Characters: the line of now can be shown where the recorded one is known by its digest alone. */
const KEPT_OUTPUT = 1024 * 1024;
const KEPT_FILE = 64 * 1024;

/** Makes this process the replay of a run. Called once, before the program is loaded. */
export function startReplay(plan: ReplayPlan): void {
  const started = originals.performanceNow();
  const target = withGivenResults(loadTape(plan.envelope, plan.vault), plan.givenResults);
  const siblings = plan.siblings.map((path) => loadTape(path, plan.vault && { ...plan.vault, file: undefined }));
  // what the agent does at its exit is done under the guard, whatever causes the exit
  const outside = AsyncLocalStorage.snapshot();
  const exit = (): void => outside(() => process.exit(0));
  const session = new Session({
    target,
    siblings,
    hasSiblings: plan.hasSiblings,
    mode: plan.mode,
    runTools: plan.runTools,
    serveTools: plan.serveTools,
    allowUnrecordedTools: plan.allowUnrecordedTools,
    live: plan.live,
    until: plan.until,
    from: plan.from,
    stop: exit,
    keepSpent: (usd) => live(() => writeFileSync(spentFile(plan.report), String(usd), { mode: 0o600 })),
  });
  // a run that was resumed is a run of its own, and no check of another one
  const mode = plan.live?.resumes === true ? "resume" : plan.mode;
  if (plan.progress !== null) tellCalls(session, plan.progress);
  let report: ReplayReport | null = null;
  startRecording({
    name: target.root.name ?? "replay",
    suspendsInput: target.status === "suspended",
    store: plan.store,
    parent: target.runId,
    earlyFacts: { replay: { of: target.runId, mode, verdict: "incomplete" } },
    sourceFor: (run) => session.sourceFor(run),
    rootFacts: (run) => ({ replay: earlyReplayFacts(session, run, mode) }),
    completeRoot: (facts) =>
      report === null ? facts : { ...facts, replay: replayFactsAfter(facts["replay"] as ReplayFacts, report) },
    translateToken: (token) => session.translate(token),
    keepOutput: KEPT_OUTPUT,
    fileLimits: { keep: KEPT_FILE, withinMs: Infinity },
    ending: (exitCode, effectsOf, error) => {
      const refusals = live(() => threadRefusals(plan.report));
      if (refusals.length > 0) session.ledger.findings.add("leak");
      session.ledger.notes.push(...refusals);
      const closed = session.close({
        exitCode,
        effectsOf,
        error,
        durationMs: Math.round(originals.performanceNow() - started),
      });
      const text = withoutSecrets(JSON.stringify(blameThreads(closed, refusals)));
      report = JSON.parse(text) as ReplayReport;
      // a report that cannot be written must be heard: without it the replay would look like a crash
      live(() => writeFileSync(plan.report, text, { mode: 0o600 }));
    },
  });
  if (target.root.process !== undefined) showRecordedMachine(target.root.process);
  if (target.root.process?.terminals !== undefined) showRecordedTerminals(target.root.process.terminals);
  showRecordedEnvironment(session, target, plan);
  process.on("beforeExit", () => session.idle());
  onInterrupt((signal) => session.interrupt(signal));
  live(() => endWhenServed(session, target, exit));
  recorder.deliversJobs = target.root.trigger !== "process";
  // a worker asks for ever for what the replay gives it
  recorder.outside = outsideAnswers([target, ...siblings], target.root.trigger === "job");
  if (target.root.trigger === "request")
    listenOnLoopback((port) =>
      session.ledger.note(`port ${String(port)} is taken here: the server was given another one`),
    );
  // nothing is recorded of what a killed process would have done behind its answer
  recorder.onAnswered = (run) => {
    if (run !== session.targetRun || !run.isActive || target.root.answered !== true) return;
    session.endedServer = true;
    exit();
  };
  const agents = new Map<string, (...args: never[]) => unknown>();
  recorder.onAgent = (name, fn) => void agents.set(name, fn);
  if (plan.call !== "none")
    live(() =>
      callAgents(session, {
        target,
        siblings,
        agents,
        headers: plan.headers,
        outside,
        withEarlier: plan.call === "warm",
        startedBy: plan.startedBy,
      }),
    );
  else session.awaited = target;
  endWithoutProgress(session);
  noteRules(session, target);
  noteArguments(session, target);
  noteVariables(session, plan);
  noteStandardInput(session, target);
  const disks = live(() => recordedDisk([target, ...siblings], plan));
  session.ledger.notes.push(...disks.notes);
  session.asRecorded = new Set(disks.former.map(({ path }) => path));
  copyFiles(plan, () => !isLive(), disks);
  const refuse = refuser(session);
  installGuard({
    refuse,
    applies: () => true,
    allows: (to) => session.continuation?.allows(to) === true,
    onDatagram: (target) => session.ledger.note(`datagrams were dropped: udp ${target}`),
    onOwnDeath: (signal) => session.ownDeath(signal),
    threadPreload: preloadPath(),
  });
  if (target.lost?.beginsLate === true) session.cannotBegin(target.incompleteReasons[0] ?? target.status);
}

/**
 * Puts a thread of a replayed program under guard: it runs, since nothing that it does is in the record, and reaches
 * nothing outside. Files that it writes are copies of its own, which the rest of the program does not see.
 */
export function guardThread(plan: ReplayPlan): void {
  copyFiles(plan, () => true);
  const refuse = threadRefuser(plan.report);
  installGuard({
    refuse,
    applies: () => true,
    onDatagram: () => {},
    onOwnDeath: (signal) => {
      return raise(refuse("signal", `${signal} to this process`));
    },
    threadPreload: preloadPath(),
  });
}

function copyFiles(plan: ReplayPlan, applies: () => boolean, disks: Partial<RecordedDisk> = {}): void {
  const ignore = (path: string): boolean => within(plan.store, path) || path.startsWith(plan.report);
  const { realPath } = installScratch({ folder: plan.scratch, applies, ignore, onCopy: () => {}, ...disks });
  Object.assign(recorder, { realPath });
}

/** Appends each call to a file. A file that takes nothing must not reach the program: it would behave otherwise, and look diverged. */
function tellCalls({ ledger }: Session, file: string): void {
  ledger.onCall = (call) => {
    try {
      live(() => appendFileSync(file, `${withoutSecrets(JSON.stringify(call))}\n`, { mode: 0o600 }));
    } catch (error) {
      // half a line may be there: nothing comes behind it
      ledger.onCall = () => {};
      ledger.note(`calls were not written as they came: ${(error as Error).message}`);
    }
  };
}

/** What the agent reached for when it was refused, and what it asked for, is its text. */
function withoutSecrets(report: string): string {
  return recorder.scrubber?.scrub(report, { mime: "application/json" }).text ?? report;
}

/**
 * Another rule set may find other values in equal requests: then calls differ though nothing of the agent has changed.
 * It is noted, and decides no verdict. Reading it also loads key and policy, before the guard is installed.
 */
function noteRules(session: Session, target: Tape): void {
  const { scrubber } = recorder;
  const recorded = new Set(target.ordered.flatMap(({ record }) => record.redacted?.rules ?? []));
  if (scrubber === null || recorded.size === 0 || (recorded.size === 1 && recorded.has(scrubber.rules))) return;
  session.ledger.findings.add("rules-changed");
  const policies = [...new Set(target.ordered.flatMap(({ record }) => record.redacted?.policy ?? []))];
  session.ledger.notes.push(
    `redaction: recorded with rule set ${[...recorded].join(", ")} (policy ${policies.join(", ")}), replayed with ${scrubber.rules} (policy ${scrubber.policy}); values that only one of them finds differ`,
  );
}

/** Recorded arguments are compared and told, never used: nothing that was recorded is executed. */
function noteArguments(session: Session, target: Tape): void {
  const recorded = target.root.process?.argv;
  if (recorded === undefined || recorder.scrubber === null) return;
  const now = process.argv.slice(2).map((a) => recorder.scrubber?.scrub(a).text ?? a);
  if (renameTokens(JSON.stringify(now)) === renameTokens(JSON.stringify(recorded))) return;
  session.ledger.findings.add("environment-changed");
  session.ledger.notes.push(`arguments of the program: ${JSON.stringify(now)} (recorded: ${JSON.stringify(recorded)})`);
}

const MOST_NAMED = 10;

/** Their values may be secrets. */
function noteVariables(session: Session, { ownVariables, unusedVariables }: ReplayPlan): void {
  if (ownVariables.length > 0) {
    session.ledger.findings.add("environment-changed");
    session.ledger.notes.push(`environment: not as recorded, but your own: ${ownVariables.join(", ")}`);
  }
  if (unusedVariables.length > 0) {
    session.ledger.notes.push(
      `environment: as recorded, though it is another here: ${listed(unusedVariables, MOST_NAMED)} (--env <name> takes yours)`,
    );
  }
}

function showRecordedEnvironment(session: Session, target: Tape, plan: ReplayPlan): void {
  const environment = live(() => shownEnvironment(target, process.env, plan));
  showEnvironment(environment);
  const redacted = environment.names?.filter((name) => findTokens(name).length > 0).length ?? 0;
  if (redacted > 0) session.ledger.notes.push(`environment: ${redacted} names of variables are redacted in the record`);
  if (plan.hiddenVariables > 0)
    session.ledger.notes.push(
      `environment: listed as recorded, without ${plan.hiddenVariables} variables that only this machine has`,
    );
}

function noteStandardInput(session: Session, target: Tape): void {
  if (target.root.leaks?.some(({ kind }) => kind === "stdin") !== true) return;
  session.ledger.notes.push("standard input is not recorded: the agent read it then, and reads this replay's own now");
}

function within(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
