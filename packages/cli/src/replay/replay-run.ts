import { dirname, resolve } from "node:path";
import { isSystemError } from "@reenact/envelope";
import { launchName } from "@reenact/node/seal";
import {
  exitCodeOf,
  type GivenResult,
  type LiveOptions,
  loadTape,
  replayCommand as replay,
  type ReplayReport,
  type Tape,
} from "@reenact/replay";
import { durationMs } from "@reenact/view";
import type { BaseOptions } from "../commands/base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";
import { openStore } from "../store/open-store.ts";
import { vaultPlace } from "../store/vault-place.ts";
import { painter } from "../render/painter.ts";
import { type RunFile, siblingRuns } from "../store/run-files.ts";
import type { RemoteOptions } from "../remote/remote-options.ts";
import { localRun } from "../store/run-source.ts";
import { idsHere, shortId } from "../store/short-id.ts";
import { placeOptions } from "../remote/place-options.ts";
import { redactedCommand } from "../redact/redacted-command.ts";
import { printReport, type ReportContext } from "../render/replay-report.ts";
import { livePlan, planLines } from "./live-plan.ts";
import { liveWarning } from "./live-warning.ts";
import { givenHeader } from "./given-header.ts";
import type { FromOption } from "./from-option.ts";
import type { LiveFlags } from "./live-options.ts";
import { tellAwaited } from "./awaited-agent.ts";
import { endWithParent } from "../process/end-with-parent.ts";
import { writeOutput } from "../process/write-output.ts";

/** Options of `replay`, parsed. */
export interface ReplayFlags extends BaseOptions, Omit<RemoteOptions, "from">, LiveFlags {
  from?: FromOption;
  json?: boolean;
  jsonFile?: string;
  progressFile?: string;
  mode: "strict" | "observe";
  runTool: string[];
  serve: string[];
  allowUnrecordedTools?: boolean;
  cold?: boolean;
  /** false: `--no-call` */
  call: boolean;
  dryRun?: boolean;
  header: string[];
  /** file that was exported; false: `--no-vault` */
  vault?: string | false;
  vaultKey?: string;
  timeout: number;
}

/** What a replay answers by itself, and what it makes real. */
interface ReplayPlan {
  readonly given: GivenResult[];
  readonly live: LiveOptions | null;
}

/**
 * Replays a run with a command of the user's, prints the report and sets the exit code.
 *
 * @param plan throws for options that do not fit the run
 * @param verb the command line's own command, for its messages
 * @returns the report; null where only the plan was printed
 */
export async function replayRun(
  reference: string,
  options: ReplayFlags,
  command: string[] | null,
  plan: (tape: Tape, run: RunFile) => ReplayPlan,
  verb: "replay" | "resume" = "replay",
): Promise<ReplayReport | null> {
  if (command === null || command.length === 0)
    throw new CliError("REEN-NO-COMMAND", "no command after --", `reenact ${verb} ${reference} -- node agent.js`);
  openStore(options.store);
  const run = await localRun(reference, remoteOf(options), (line) => tell(options, line));
  const tape = tapeOf(run);
  const { given, live } = plan(tape, run);
  if (options.dryRun === true) {
    printPlan(live, tape, options);
    return null;
  }
  tell(options, live === null ? "" : liveWarning(live, tape));
  const siblings = siblingRuns(options.store, run);
  const launch = launchName();
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => (interrupted = true));
  endWithParent();
  const settled = options.quiet ? () => {} : tellAwaited({ tape, store: options.store, launch });
  const what = replayOf({ run, tape, siblings, given, live, command, launch }, options);
  const { report, scratch, failedToStart } = await replayed(options.store, what).finally(settled);
  if (failedToStart !== null)
    throw new CliError(
      "REEN-CANNOT-START",
      `cannot start ${command[0]}: ${failedToStart}`,
      "check the command after --",
    );
  openStore(options.store, { launch });
  printed(report, options, () => ({
    command: redactedCommand(command, options),
    reference: /[./\\]/.test(reference) ? reference : shortId(run.header.run, options.store),
    // a run from elsewhere is in the store now
    place: placeOptions({ store: options.store }),
    ids: idsHere(options.store),
    recordedMs: durationMs(run.manifest),
    scratch,
  }));
  process.exitCode = interrupted ? EXIT.interrupted : exitCodeOf(report);
  return report;
}

interface Planned {
  run: RunFile;
  tape: Tape;
  siblings: readonly RunFile[];
  given: GivenResult[];
  live: LiveOptions | null;
  command: string[];
  launch: string;
}

function replayOf({ run, siblings, given, ...planned }: Planned, options: ReplayFlags): Parameters<typeof replay>[0] {
  return {
    ...planned,
    envelope: resolve(run.path),
    siblings: siblings.map((s) => resolve(s.path)),
    // a file may have been taken out of its store
    hasSiblings: siblings.length > 0 || dirname(resolve(run.path)) === resolve(options.store, "runs"),
    store: resolve(options.store),
    mode: options.mode,
    runTools: options.runTool,
    serveTools: options.serve,
    givenResults: given,
    until: options.until === undefined ? null : options.until - 1,
    from: (options.from?.step ?? 1) - 1,
    allowUnrecordedTools: options.allowUnrecordedTools ?? false,
    call: !options.call ? "none" : options.cold === true ? "cold" : "warm",
    headers: options.header.map(givenHeader),
    vault: vaultPlace(options, run.path),
    ownVariables: options.env,
    progress: options.progressFile,
    timeoutMs: options.timeout * 1000,
  };
}

const remoteOf = ({ from, ...options }: ReplayFlags): BaseOptions & RemoteOptions => ({
  ...options,
  ...(from?.place === undefined ? {} : { from: from.place }),
});

function tell({ quiet }: ReplayFlags, line: string): void {
  if (!quiet) process.stderr.write(line);
}

function printPlan(live: LiveOptions | null, tape: Tape, { json, jsonFile, quiet, env }: ReplayFlags): void {
  if (live === null)
    throw new CliError("REEN-USAGE", "--dry-run: nothing is live", "--live llm, --live-after <step> or --fork <step>");
  const plan = livePlan(live, tape, env);
  const line = `${JSON.stringify({ schemaVersion: 1, ...plan })}\n`;
  if (jsonFile !== undefined) writeOutput(jsonFile, line);
  if (json === true) process.stdout.write(line);
  else if (!quiet) process.stderr.write(planLines(plan));
}

function printed(report: ReplayReport, options: ReplayFlags, context: () => ReportContext): void {
  if (options.jsonFile !== undefined) writeOutput(options.jsonFile, `${JSON.stringify(report)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (!options.quiet) process.stderr.write(printReport(report, context(), painter(process.stderr)));
}

async function replayed(store: string, what: Parameters<typeof replay>[0]): ReturnType<typeof replay> {
  try {
    return await replay(what);
  } catch (error) {
    throw !isSystemError(error) ? error : CliError.store(store, "cannot write to", error);
  }
}

/** A replay that serves half of a damaged file would only look like one. */
function tapeOf({ path }: RunFile): ReturnType<typeof loadTape> {
  try {
    return loadTape(path);
  } catch (error) {
    throw CliError.from(error, path);
  }
}
