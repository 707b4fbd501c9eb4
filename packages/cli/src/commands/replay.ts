import { type Command, Option } from "commander";
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
import { baseCommand, type BaseOptions, several } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";
import { openStore } from "../store/open-store.ts";
import { vaultPlace } from "../store/vault-place.ts";
import { painter } from "../render/painter.ts";
import { type RunFile, siblingRuns } from "../store/run-files.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { localRun } from "../store/run-source.ts";
import { idsHere, shortId } from "../store/short-id.ts";
import { placeOptions } from "../remote/place-options.ts";
import { redactedCommand } from "../redact/redacted-command.ts";
import { printReport, type ReportContext } from "../render/replay-report.ts";
import { livePlan, planLines } from "../replay/live-plan.ts";
import { liveWarning } from "../replay/live-warning.ts";
import { type FromOption, fromOption } from "../replay/from-option.ts";
import { givenHeader } from "../replay/given-header.ts";
import { givenResults } from "../replay/given-results.ts";
import { type LiveFlags, liveOptions } from "../replay/live-options.ts";
import { refuseUnknownTools } from "../replay/known-tools.ts";
import { tellAwaited } from "../replay/awaited-agent.ts";
import { writeOutput } from "../process/write-output.ts";
import { dollars } from "./dollars.ts";
import { endWithParent } from "../process/end-with-parent.ts";
import { seconds } from "./seconds.ts";
import { numberOrZero, stepNumber } from "./step-argument.ts";

interface Options extends BaseOptions, Omit<RemoteOptions, "from">, LiveFlags {
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

export function replayCommand(command: string[] | null): Command {
  const remote = baseCommand("replay", "run your code again, every LLM and tool call served from a recorded run", [
    "reenact replay @last -- node agent.js",
    "reenact replay 7f3a91 --run-tool delete_order -- node agent.js",
    "reenact replay 7f3a91 --from 5 -- node agent.js",
    "reenact replay 7f3a91 --fork 5 --set prompt.5=@prompt.txt --prices prices.json --max-cost 0.50 -- node agent.js",
    "reenact replay failed.reenact --mode strict --json-file report.json -- node agent.js",
    "reenact replay s3://bucket/runs/7f3a91 -- node agent.js",
  ]);
  return withRemote(remote, fromOption())
    .usage("[options] <run> -- <command...>")
    .argument("<run>", "run reference")
    .addOption(
      new Option("--mode <mode>", "strict stops at the first call that differs from the record")
        .choices(["observe", "strict"])
        .default("observe"),
    )
    .option("--run-tool <name>", "run the body of this tool or step instead of serving it (repeatable)", several, [])
    .option("--serve <name>", "serve this tool or step although it has inner steps (repeatable)", several, [])
    .option(
      "--set <tool.name[@n]=value>",
      "return this from a tool or step, or with input.name from input(), instead of its recorded result: JSON, or @file; with something live, prompt.<step>=, system=, model= and params.<name>= change what is sent (repeatable)",
      several,
      [],
    )
    .option("--until <step>", "end behind the answer of this step, counted from 1", stepNumber)
    .option(
      "--live <what>",
      "make calls real: llm (models, where a request is edited or not as recorded), tools (all bodies run, with all that they do), or the name of a provider, host, tool, step or question (repeatable)",
      several,
      [],
    )
    .option("--live-after <step>", "serve so many steps from the record; later calls of models are real", numberOrZero)
    .option(
      "--fork <step>",
      "as --live-after, from this step on: it is made anew, with what --set gives it",
      stepNumber,
    )
    .option("--max-cost <usd>", "send nothing more once live calls have cost so many dollars; needs --prices", dollars)
    .option("--prices <file>", "JSON with dollars per million tokens, by model, as the collector takes it")
    .option(
      "--to <host>",
      "send live calls, and your keys in them, also to this host; otherwise they go to the providers' own hosts and to those that your variables name (repeatable)",
      several,
      [],
    )
    .option("--send-tokens", "send requests although they hold tokens that stand for redacted values")
    .option("--send-originals", "send originals from the vault also to who never got them")
    .option("--dry-run", "start nothing: say to which hosts live calls would go, with whose keys, and up to which cost")
    .option("--allow-unrecorded-tools", "run the bodies of tools that were not recorded; files go to a scratch copy")
    .option(
      "--cold",
      "of a server: without the earlier runs of its process or session, which are called first otherwise",
    )
    .option(
      "--no-call",
      "of a server: wait for the request instead of sending it, or calling the recorded agent() with its arguments",
    )
    .option(
      "--header <name: value>",
      "of a request to a server: this header instead of the recorded one, which may be redacted (repeatable)",
      several,
      [],
    )
    .option("--env <name>", "take this variable from here instead of from the record (repeatable)", several, [])
    .option("--vault <file>", "originals of redacted values, as reenact vault export wrote them; default: the store's")
    .option("--no-vault", "serve redacted values as they stand in the record")
    .option("--vault-key <file>", "responder's private key that opens the vault")
    .option("--timeout <seconds>", "kill a replay that does not end by itself; 0: never", seconds, 600)
    .option("--json", "the report as JSON on standard output, after the program's own")
    .option("--json-file <path>", "write the report here")
    .option("--progress-file <path>", "append each call with its verdict here as it comes, one line of JSON")
    .addHelpText(
      "after",
      "\nExit code: 0 identical, or live calls came to a good end; 10 diverged; 11 the recording is incomplete, a tool was not recorded, or a live call may not be sent; 12 --max-cost is reached.",
    )
    .action(async (reference: string, options: Options) => {
      if (command === null || command.length === 0)
        throw new CliError("REEN-NO-COMMAND", "no command after --", `reenact replay ${reference} -- node agent.js`);
      openStore(options.store);
      const run = await localRun(reference, remoteOf(options), (line) => tell(options, line));
      const tape = tapeOf(run);
      refuseUnknownTools(tape, options);
      const given = givenResults(tape, options);
      const live = liveOptions(tape, { ...options, comparedFrom: options.from?.step }, given);
      if (options.dryRun === true) return printPlan(live, tape, options);
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
    });
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

function replayOf({ run, siblings, given, ...planned }: Planned, options: Options): Parameters<typeof replay>[0] {
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

const remoteOf = ({ from, ...options }: Options): BaseOptions & RemoteOptions => ({
  ...options,
  ...(from?.place === undefined ? {} : { from: from.place }),
});

function tell({ quiet }: Options, line: string): void {
  if (!quiet) process.stderr.write(line);
}

function printPlan(live: LiveOptions | null, tape: Tape, { json, jsonFile, quiet, env }: Options): void {
  if (live === null)
    throw new CliError("REEN-USAGE", "--dry-run: nothing is live", "--live llm, --live-after <step> or --fork <step>");
  const plan = livePlan(live, tape, env);
  const line = `${JSON.stringify({ schemaVersion: 1, ...plan })}\n`;
  if (jsonFile !== undefined) writeOutput(jsonFile, line);
  if (json === true) process.stdout.write(line);
  else if (!quiet) process.stderr.write(planLines(plan));
}

function printed(report: ReplayReport, options: Options, context: () => ReportContext): void {
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
