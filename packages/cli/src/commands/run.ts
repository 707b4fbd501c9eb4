import type { Command } from "commander";
import fs, { accessSync, constants } from "node:fs";
import { basename, resolve } from "node:path";
import { makeFolder } from "@reenact/envelope";
import { launchName, sealSpool } from "@reenact/node/seal";
import { type ShipReport, shipStore, waitingRuns } from "@reenact/node/send";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { launchChild } from "../process/launch-child.ts";
import { painter } from "../render/painter.ts";
import { byTime, isListed, readRunFile, type RunFile } from "../store/run-files.ts";
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
}

export function runCommand(command: string[] | null): Command {
  return baseCommand("run", "record an unmodified agent; ends with the agent's own exit code", [
    "reenact run -- node agent.js",
    "reenact run --store /var/lib/reenact -- npm start",
    "reenact run --json-file run.json -- npx tsx agent.ts",
  ])
    .usage("[options] -- <command...>")
    .option("--json", "the summary as JSON on standard output, after the agent's own")
    .option("--json-file <path>", "write the summary here")
    .action(async (options: Options) => {
      if (command === null || command.length === 0)
        throw new CliError("REEN-NO-COMMAND", "no command after --", "reenact run -- node agent.js");
      const store = resolve(options.store);
      const problem = storeProblem(store);
      if (problem !== null)
        tell(
          new CliError(
            "REEN-STORE",
            `cannot record to ${store}: ${problem}; the agent runs unrecorded`,
            "name another folder with --store",
          ),
        );
      const launch = launchName();
      const target = problem === null ? await recordTo(store, (error) => options.quiet || tell(error)) : {};
      const end = await launchChild(
        command,
        problem === null ? { ...target, REENACT_STORE: store, REENACT_LAUNCH: launch } : { REENACT_DISABLED: "1" },
      );
      const recorded = problem === null && end.failure === null;
      const local = recorded ? sealed(store, launch) : NONE;
      const shipped = recorded ? await ship(store, launch, { ...environment(), ...target }) : NOTHING;
      const ours = shipped.sent.filter((each) => each.launch === launch && each.target.view === "record");
      const there = ours.flatMap(({ sealed: file }) => (file === null ? [] : [{ path: "", ...file }]));
      const late = shipped.refused.length > 0 ? sealed(store, launch) : NONE;
      const here = [...local.ours, ...there, ...late.ours].filter(({ manifest }) => isListed(manifest));
      const named = pick(here);
      const sentTo = ours.find(({ run }) => run === named?.header.run)?.target.url ?? null;
      const waiting = shipped.waiting.flatMap((each) =>
        each.runs.filter((run) => run.launch === launch && each.target.view === "record"),
      );
      // they are known, and no command can read them yet
      const runs = [...here, ...waiting.flatMap(({ sealed: file }) => (file === null ? [] : [{ path: "", ...file }]))];
      const waits = { waiting: waiting.length, waitingRuns: waiting.map(({ run }) => run) };
      const outlook = named === null ? null : await outlookOf(named);
      const hindrances = outlook?.hindrances ?? [];
      const summary = `${JSON.stringify({ ...summaryOf(runs, store, end.exitCode), sentTo, ...waits, hindrances })}\n`;
      if (options.jsonFile !== undefined) writeSummary(options.jsonFile, summary);
      if (options.json) process.stdout.write(summary);
      if (end.failure !== null) throw end.failure;
      if (!options.quiet && problem === null) {
        // beside the collector of this store a further command finds it by itself
        const elsewhere = sentTo === null || "REENACT_ENDPOINT" in target ? {} : { server: sentTo };
        const place = placeOptions({ store: options.store, ...elsewhere });
        if (named !== null) {
          const byCommand = isByCommand(outlook, command, end.pid) ?? isOfFirst(named, here);
          const children = await childrenOf(named, here);
          const more = here.length - children.length;
          const shown = redactedCommand(command, options);
          const context = {
            runs: more,
            command: shown,
            byCommand,
            outlook,
            children,
            sentTo,
            place,
            ids: idsHere(store),
          };
          process.stderr.write(printSummary(named, context, painter(process.stderr)));
        } else if (waiting.length === 0)
          process.stderr.write(printNothing(recordingProblem(store, { ...environment(), ...target }), place));
        process.stderr.write(printOthers(local.others + late.others, place));
      }
      for (const each of shipped.waiting) tell(sendTrouble(each, store, placeOptions({ store: options.store })));
      for (const each of shipped.refused) process.stderr.write(refusalLine(each));
      if (shipped.dropped > 0) process.stderr.write(droppedLine(shipped.dropped, store));
      if (end.signal !== null && end.signal !== "SIGKILL") {
        process.removeAllListeners(end.signal);
        process.kill(process.pid, end.signal);
      }
      process.exitCode = end.exitCode;
    });
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

const NOTHING: ShipReport = { sent: [], waiting: [], held: [], refused: [], dropped: 0 };
/** A destination that is slow must not keep the caller. */
const SHIP_MS = 10_000;

/** What is meant for a collector, or for another receiver as well; none of it can fail the command. */
async function ship(store: string, launch: string, env: NodeJS.ProcessEnv): Promise<ShipReport> {
  try {
    if (waitingRuns(store).length === 0) return NOTHING;
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

function summaryOf(runs: RunFile[], store: string, exitCode: number): object {
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
