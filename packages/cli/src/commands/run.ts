import type { Command } from "commander";
import fs, { accessSync, constants } from "node:fs";
import { basename, resolve } from "node:path";
import { makeFolder } from "@reenact/envelope";
import { launchName, sealSpool } from "@reenact/node/seal";
import { type ShippedRun, type ShipReport, shipStore } from "@reenact/node/send";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { launchChild } from "../process/launch-child.ts";
import { painter } from "../render/painter.ts";
import { byTime, isListed, readRunFile, type RunFile } from "../store/run-files.ts";
import { upAddress } from "../remote/up-address.ts";
import { placeOptions } from "../remote/place-options.ts";
import { recordTo } from "../remote/record-to.ts";
import { recordingProblem } from "../doctor/recording-problem.ts";
import { type Outlook, outlookOf } from "../replay/replay-outlook.ts";
import { redactedCommand } from "../redact/redacted-command.ts";
import { printNothing, printOthers, printSummary } from "../render/run-summary.ts";
import { droppedLine, refusalLine, sendTrouble } from "../errors/send-trouble.ts";
import { writeOutput } from "../process/write-output.ts";
import { idsHere } from "../store/short-id.ts";

interface Options extends BaseOptions {
  json?: boolean;
  jsonFile?: string;
  session?: string;
  suspend?: boolean;
}

export function runCommand(command: string[] | null): Command {
  return baseCommand("run", "record an unmodified agent; ends with the agent's own exit code", [
    "reenact run -- node agent.js",
    "reenact run --store /var/lib/reenact -- npm start",
    "reenact run --session order-77 -- node agent.js",
    "reenact run --json-file run.json -- npx tsx agent.ts",
  ])
    .usage("[options] -- <command...>")
    .option(
      "--session <id>",
      "of all runs, as identify({ session }) gives it: for a program that goes on in another process (REENACT_SESSION)",
    )
    .option(
      "--suspend",
      "where the agent asks a person with input(): suspend the run; reenact resume goes on with the answer, in another process (REENACT_ON_INPUT=suspend)",
    )
    .option("--json", "the summary as JSON on standard output, after the agent's own")
    .option("--json-file <path>", "write the summary here")
    .action(async (options: Options) => {
      if (command === null || command.length === 0)
        throw new CliError("REEN-NO-COMMAND", "no command after --", "reenact run -- node agent.js");
      await recordCommand(command, options);
    });
}

/** Records a command as `reenact run` does, prints the summary, and sets the exit code to the command's own. Resolves with the id of the run; null: none was recorded. */
export async function recordCommand(command: string[], options: Options): Promise<string | null> {
  const store = resolve(options.store);
  const problem = storeProblem(store);
  if (problem !== null) {
    const message = `cannot record to ${store}: ${problem}; the agent runs unrecorded`;
    tell(new CliError("REEN-STORE", message, "name another folder with --store"));
  }
  const launch = launchName();
  const target = problem === null ? await recordTo(store, (error) => options.quiet || tell(error)) : {};
  const end = await launchChild(
    command,
    problem === null ? recordingVariables(options, store, launch, target) : { REENACT_DISABLED: "1" },
  );
  const recorded = problem === null && end.failure === null ? await collect(store, launch, target) : NO_RUNS;
  const outlook = recorded.named === null ? null : await outlookOf(recorded.named);
  const { sentTo, waiting } = recorded;
  const waits = { waiting: waiting.length, waitingRuns: waiting.map(({ run: id }) => id) };
  const facts = summaryOf([...recorded.here, ...filesOf(waiting)], store, end.exitCode);
  tellFacts(`${JSON.stringify({ ...facts, sentTo, ...waits, hindrances: outlook?.hindrances ?? [] })}\n`, options);
  if (end.failure !== null) throw end.failure;
  if (!options.quiet && problem === null)
    process.stderr.write(await summaryLines(recorded, outlook, { command, options, store, target, pid: end.pid }));
  tellShipped(recorded.shipped, store, options);
  if (end.signal !== null) dieOf(end.signal);
  process.exitCode = end.exitCode;
  return facts.run;
}

function tellFacts(summary: string, { json, jsonFile }: Options): void {
  if (jsonFile !== undefined) writeSummary(jsonFile, summary);
  if (json) process.stdout.write(summary);
}

/** What the command's processes record with. */
function recordingVariables(
  { session, suspend }: Options,
  store: string,
  launch: string,
  target: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = {
    ...(session === undefined ? {} : { REENACT_SESSION: session }),
    ...(suspend === true ? { REENACT_ON_INPUT: "suspend" } : {}),
  };
  return { ...target, ...given, REENACT_STORE: store, REENACT_LAUNCH: launch };
}

/** Ends this process as the agent's has ended. */
function dieOf(signal: NodeJS.Signals): void {
  if (signal === "SIGKILL") return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

interface Recorded {
  /** runs of the command that a further command can read, here or at a collector */
  here: RunFile[];
  /** the run that the summary is about */
  named: RunFile | null;
  /** how many runs of processes that this command did not start were sealed */
  others: number;
  /** of the collector that has the named run; null: it is in the local store */
  sentTo: string | null;
  /** runs of the command that could not be sent yet: they are known, and no command can read them */
  waiting: ShippedRun[];
  shipped: ShipReport;
}

const NOTHING: ShipReport = { sent: [], waiting: [], held: [], refused: [], dropped: 0 };
const NO_RUNS: Recorded = { here: [], named: null, others: 0, sentTo: null, waiting: [], shipped: NOTHING };

/** Seals and sends what the command has recorded. */
async function collect(store: string, launch: string, target: Readonly<Record<string, string>>): Promise<Recorded> {
  const local = sealed(store, launch);
  const shipped = await ship(store, launch, { ...environment(), ...target });
  const isOurs = (each: ShippedRun): boolean => each.launch === launch && each.target.view === "record";
  const sent = shipped.sent.filter(isOurs);
  const late = shipped.refused.length > 0 ? sealed(store, launch) : NONE;
  const here = [...local.ours, ...filesOf(sent), ...late.ours].filter(({ manifest }) => isListed(manifest));
  const named = pick(here);
  return {
    here,
    named,
    others: local.others + late.others,
    sentTo: sent.find(({ run: id }) => id === named?.header.run)?.target.url ?? null,
    waiting: shipped.waiting.flatMap(({ runs }) => runs.filter(isOurs)),
    shipped,
  };
}

function filesOf(runs: readonly ShippedRun[]): RunFile[] {
  return runs.flatMap(({ sealed: file }) => (file === null ? [] : [{ path: "", ...file }]));
}

interface Launched {
  command: string[];
  options: Options;
  store: string;
  target: Readonly<Record<string, string>>;
  pid: number | null;
}

async function summaryLines(
  { here, named, others, sentTo, waiting }: Recorded,
  outlook: Outlook | null,
  { command, options, store, target, pid }: Launched,
): Promise<string> {
  // beside the collector of this store a further command finds it by itself
  const elsewhere = sentTo === null || "REENACT_ENDPOINT" in target ? {} : { server: sentTo };
  const place = placeOptions({ store: options.store, ...elsewhere });
  const rest = printOthers(others, place);
  if (named === null) {
    if (waiting.length > 0) return rest;
    return printNothing(recordingProblem(store, { ...environment(), ...target }), place) + rest;
  }
  const byCommand = isByCommand(outlook, command, pid) ?? isOfFirst(named, here);
  const children = await childrenOf(named, here);
  const runs = here.length - children.length;
  const shown = redactedCommand(command, options);
  const pages = sentTo ?? upAddress(store);
  const context = { runs, command: shown, byCommand, outlook, children, sentTo, pages, place, ids: idsHere(store) };
  return printSummary(named, context, painter(process.stderr)) + rest;
}

function tellShipped(shipped: ShipReport, store: string, options: Options): void {
  for (const each of shipped.waiting) tell(sendTrouble(each, store, placeOptions({ store: options.store })));
  for (const each of shipped.refused) process.stderr.write(refusalLine(each));
  if (shipped.dropped > 0) process.stderr.write(droppedLine(shipped.dropped, store));
}

function tell(error: CliError): void {
  process.stderr.write(error.line);
}

/** Capture fails open: a store that cannot be written is a line, and the agent runs. */
function storeProblem(store: string): string | null {
  try {
    makeFolder(fs, store);
    accessSync(store, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** The agent's exit code is the one that counts: nothing that is ours changes it. */
function writeSummary(path: string, summary: string): void {
  try {
    writeOutput(path, summary);
  } catch (error) {
    tell(CliError.from(error));
  }
}

interface Sealed {
  ours: RunFile[];
  /** how many runs of processes that this command did not start */
  others: number;
}
const NONE: Sealed = { ours: [], others: 0 };

function sealed(store: string, launch: string): Sealed {
  try {
    const runs = sealSpool(store, { launch });
    const ours = runs.filter((r) => r.launch === launch);
    return { ours: ours.map((r) => readRunFile(r.path)), others: runs.length - ours.length };
  } catch (error) {
    tell(
      new CliError(
        "REEN-STORE",
        `the recording cannot be sealed into ${store}: ${messageOf(error)}`,
        `reenact ls --store ${store}`,
        { cause: error },
      ),
    );
    return NONE;
  }
}

/** A destination that is slow must not keep the caller. */
const SHIP_MS = 10_000;

/** What is meant for a collector, or for another receiver as well; none of it can fail the command. */
async function ship(store: string, launch: string, env: NodeJS.ProcessEnv): Promise<ShipReport> {
  try {
    const signal = AbortSignal.timeout(SHIP_MS);
    return await shipStore(store, { env, launch, waitBudgetMs: 1000, signal, describe: true });
  } catch (error) {
    tell(CliError.store(store, "what waits cannot be read in", error));
    return NOTHING;
  }
}

/** The only one, else the last failed, else the last of the process that came first: others are those that it started. */
function pick(runs: RunFile[]): RunFile | null {
  const ordered = [...runs].sort(byTime);
  return ordered.findLast((r) => r.header.status !== "ok") ?? ordered.findLast((r) => isOfFirst(r, runs)) ?? null;
}

const NODE = /^(?:node|nodejs)(?:\.exe)?$/;

/** Whether the process that the command starts is the one that made the run; null: a program between them hides it. */
function isByCommand(outlook: Outlook | null, [file = ""]: readonly string[], pid: number | null): boolean | null {
  if (outlook === null || outlook.pid === null || pid === null) return null;
  if (outlook.pid === pid) return true;
  return NODE.test(basename(file)) ? false : null;
}

const MOST_CHILDREN = 3;

/** The first runs of the processes that the one of `named` started. */
async function childrenOf(named: RunFile, runs: RunFile[]): Promise<{ run: RunFile; outlook: Outlook | null }[]> {
  const seen = new Set([named.manifest.instance]);
  const found: RunFile[] = [];
  for (const run of [...runs].sort(byTime)) {
    if (seen.has(run.manifest.instance) || found.length === MOST_CHILDREN) continue;
    seen.add(run.manifest.instance);
    found.push(run);
  }
  return Promise.all(found.map(async (run) => ({ run, outlook: await outlookOf(run) })));
}

function isOfFirst(run: RunFile, runs: RunFile[]): boolean {
  const [first] = [...runs].sort(byTime);
  return run.manifest.instance === first?.manifest.instance;
}

function summaryOf(runs: RunFile[], store: string, exitCode: number) {
  const named = pick(runs);
  return {
    schemaVersion: 1,
    run: named?.header.run ?? null,
    runs: runs.map((r) => r.header.run),
    status: named?.header.status ?? null,
    steps: named?.manifest.slots ?? 0,
    complete: named?.manifest.complete ?? false,
    incompleteReasons: named?.manifest.incompleteReasons ?? [],
    store,
    exitCode,
  };
}
