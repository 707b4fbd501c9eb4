import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ReplayOptions, ReplayState, Workbench } from "@reenact/collector";
import type { ReplayReport } from "@reenact/replay";
import { redactedCommand } from "../redact/redacted-command.ts";
import { nextCommand } from "../render/replay-report.ts";
import { shellWords } from "../render/shell-words.ts";
import { shownValues } from "./shown-values.ts";
import { type DemoProcess, startDemo } from "./record-demo.ts";
import { openTestRuns } from "./test-runs.ts";
import { type LiveLimits, openLiveBudget } from "./live-budget.ts";
import {
  type GivenLive,
  type ProgressCall,
  type ReplayProcess,
  startPlanProcess,
  startReplayProcess,
} from "./replay-process.ts";

/** Replays that are remembered. */
const MOST_REPLAYS = 20;
/** A description of a live replay can be started for so long, milliseconds. */
const PLAN_AGE = 5 * 60_000;
const MOST_CALLS = 5000;

export interface OpenWorkbench extends Workbench {
  /** a page proves by it that it was opened by the printed link */
  readonly token: string;
  /** Ends the replay that runs. */
  close(): Promise<void>;
}

export interface WorkbenchPlace {
  readonly command: readonly string[];
  /** absolute */
  readonly store: string;
  readonly project: string;
  readonly key: string | undefined;
  /** words behind a command of reenact that name the store */
  readonly place: string;
  /** null: pages send nothing */
  readonly live: LiveLimits | null;
}

interface Planned extends ReplayOptions {
  readonly run: string;
  readonly live: GivenLive;
  readonly until: number;
}

interface Job {
  state: ReplayState;
  process: ReplayProcess;
}

/** Replays with the command that was given to `reenact up`, and the tests of its project, one at a time. */
export function openWorkbench(place: WorkbenchPlace): OpenWorkbench {
  const token = randomBytes(24).toString("base64url");
  const shown = redactedCommand(place.command, place);
  const jobs = new Map<string, Job>();
  let current: Job | null = null;
  const budget = place.live === null ? null : openLiveBudget(place.live);
  const plans = new Map<string, Planned>();
  let planning: ReplayProcess<unknown> | null = null;
  const tests = openTestRuns(place);
  let demo: DemoProcess | null = null;
  let isClosed = false;

  function find(id: string): ReplayState | null {
    const job = jobs.get(id);
    if (job === undefined) return null;
    return job.state.state === "ended" ? job.state : { ...job.state, ...listed(job.process.calls()) };
  }

  const isBusy = (): boolean => current !== null || planning !== null || demo !== null || tests.isRunning() || isClosed;

  function begin({
    run,
    live,
    ...options
  }: ReplayOptions & { run: string; live: GivenLive | null }): ReplayState | null {
    if (isBusy()) return null;
    const id = randomBytes(8).toString("hex");
    const started = Date.now();
    const job: Job = {
      process: startReplayProcess({ ...place, ...options, run, live }),
      state: {
        id,
        run,
        state: "running",
        started,
        durationMs: null,
        calls: [],
        more: 0,
        report: null,
        failure: null,
        cancelled: false,
      },
    };
    current = job;
    jobs.set(id, job);
    for (const old of [...jobs.keys()].slice(0, -MOST_REPLAYS)) jobs.delete(old);
    void job.process.ended.then(({ report, failure }) => {
      if (live !== null) budget?.count(report);
      const calls = listed(report?.calls ?? job.process.calls());
      const lineAfter = (of: ReplayReport): string =>
        nextCommand(of, { reference: run.slice(0, 12), command: shown, place: place.place }, (each) =>
          each.slice(0, 12),
        );
      job.state = {
        ...job.state,
        ...calls,
        state: "ended",
        durationMs: Date.now() - started,
        report: report === null ? null : reportFor(report, lineAfter(report)),
        failure: job.state.cancelled && report === null ? "it was cancelled" : failure,
      };
      current = null;
    });
    return find(id);
  }

  return {
    token,
    command: shellWords(shown),
    admits: (given) => timingSafeEqual(hashOf(given), hashOf(token)),
    find,
    running: () => current?.state.id ?? null,
    start: (run, options) => begin({ ...options, run, live: null }),
    live: () => budget?.now() ?? null,
    async plan(run, { fork, edits, ...options }) {
      if (budget === null || place.live === null || isBusy()) return null;
      const live = { ...place.live, fork, edits, maxCost: budget.now().left };
      const process = startPlanProcess({ ...place, ...options, run, live });
      planning = process;
      const { report, failure } = await process.ended.finally(() => (planning = null));
      if (report === null) throw new Error(failure ?? "it was not said what would be sent");
      const id = randomBytes(16).toString("hex");
      plans.set(id, { ...options, run, live, until: Date.now() + PLAN_AGE });
      for (const old of [...plans.keys()].slice(0, -MOST_REPLAYS)) plans.delete(old);
      const { asked, recipients, alsoAllowed } = report;
      return { id, run, asked, recipients, alsoAllowed, maxCost: live.maxCost };
    },
    startPlan(id) {
      const plan = plans.get(id);
      if (plan === undefined || plan.until < Date.now()) return "no-plan";
      if (isBusy()) return null;
      // another replay may have spent since what it was told that it may
      if (budget === null || budget.now().left < plan.live.maxCost) return "no-plan";
      plans.delete(id);
      return begin(plan);
    },
    cancel(id) {
      const job = jobs.get(id);
      if (job === undefined || job.state.state === "ended") return;
      job.state = { ...job.state, state: "ending", cancelled: true };
      job.process.cancel();
    },
    recordDemo() {
      if (isBusy()) return null;
      demo = startDemo(place);
      return demo.ended.finally(() => (demo = null));
    },
    startTests: (files) => (isBusy() ? null : tests.start(files)),
    testsRun: tests.last,
    cancelTests: tests.cancel,
    async close() {
      // the port is open for a while yet
      isClosed = true;
      const [job, plan, recording] = [current, planning, demo];
      job?.process.cancel();
      plan?.cancel();
      recording?.cancel();
      await tests.close();
      await job?.process.ended;
      await plan?.ended;
      await recording?.ended;
    },
  };
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

const listed = (calls: readonly ProgressCall[]): Pick<ReplayState, "calls" | "more"> => ({
  calls: calls.slice(0, MOST_CALLS),
  more: Math.max(0, calls.length - MOST_CALLS),
});

function reportFor(report: ReplayReport, next: string): NonNullable<ReplayState["report"]> {
  const { divergence, stopped } = report;
  return {
    verdict: report.verdict,
    replay: report.run,
    recorded: report.recorded,
    live: report.live,
    costUsd: report.costUsd,
    edited: report.edited,
    refused: report.refused,
    sockets: report.sockets,
    missing: report.missing,
    findings: report.findings,
    notes: report.notes,
    divergence:
      divergence === null
        ? null
        : {
            step: divergence.step,
            run: divergence.runName ?? null,
            verdict: divergence.verdict,
            cause: divergence.cause,
            pointer: divergence.pointer,
            ...shownValues(divergence),
          },
    stopped: stopped?.message ?? null,
    next,
  };
}
