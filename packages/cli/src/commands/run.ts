import { spawn } from "node:child_process";
import { accessSync, constants as fsConstants, mkdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { launchName, sealSpool } from "@reenact/node/seal";
import { CliError, EXIT } from "../cli-error.ts";
import { readRunFile, type RunFile } from "../run-files.ts";
import { printSummary } from "../run-summary.ts";
import { storeOption } from "../store-option.ts";

interface Options {
  store: string;
  jsonFile?: string;
  quiet?: boolean;
}

export function runCommand(command: string[] | null): Command {
  return new Command("run")
    .description("record an unmodified agent; ends with the agent's own exit code")
    .addOption(storeOption())
    .option("--json-file <path>", "write the summary here")
    .option("--quiet", "no summary")
    .addHelpText("after", "\nExamples:\n  reenact run -- node agent.js\n  reenact run --store /var/lib/reenact -- npm start\n  reenact run --json-file run.json -- npx tsx agent.ts")
    .action(async (options: Options) => {
      if (command === null || command.length === 0) throw new CliError("REEN-NO-COMMAND", "no command after --", "reenact run -- node agent.js");
      const store = resolve(options.store);
      const problem = storeProblem(store);
      if (problem !== null) process.stderr.write(`reenact: cannot record to ${store}: ${problem}; the agent runs unrecorded. Next: name another folder with --store\n`);
      const launch = launchName();
      const end = await runChild(command, problem === null ? { REENACT_STORE: store, REENACT_LAUNCH: launch } : { REENACT_DISABLED: "1" });
      const runs = problem === null ? sealed(store, launch) : [];
      const named = pick(runs);
      if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, `${JSON.stringify(summaryOf(runs, named, store, end.exitCode))}\n`);
      if (!options.quiet && problem === null) process.stderr.write(printSummary(named, runs.length, command));
      if (end.signal !== null && end.signal !== "SIGKILL") {
        process.removeAllListeners(end.signal);
        process.kill(process.pid, end.signal);
      }
      process.exitCode = end.exitCode;
    });
}

/** Capture fails open: a store that cannot be written is a line, and the agent runs. */
function storeProblem(store: string): string | null {
  try {
    mkdirSync(store, { recursive: true });
    accessSync(store, fsConstants.W_OK | fsConstants.X_OK);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface ChildEnd {
  exitCode: number;
  signal: NodeJS.Signals | null;
}

function runChild(command: string[], extra: Record<string, string>): Promise<ChildEnd> {
  const [file = "", ...args] = command;
  const preload = fileURLToPath(import.meta.resolve("@reenact/node/register"));
  const quoted = /[\s"\\]/.test(preload) ? JSON.stringify(preload) : preload;
  const env = { ...process.env, ...extra, NODE_OPTIONS: [process.env["NODE_OPTIONS"], `--import=${quoted}`].filter(Boolean).join(" ") };
  return new Promise((done, failed) => {
    const child = spawn(file, args, { stdio: "inherit", env });
    // a terminal sends its signals to the whole group; ours must outlive the agent to seal what it left
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void child.kill(signal));
    child.on("error", (error) => failed(new CliError("REEN-CANNOT-START", `cannot start ${file}: ${error.message}`, "check the command after --", EXIT.usage)));
    child.on("exit", (code, signal) => done({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal }));
  });
}

function sealed(store: string, launch: string): RunFile[] {
  try {
    const runs = sealSpool(store, { launch });
    return runs.map((r) => readRunFile(r.path));
  } catch (error) {
    process.stderr.write(`reenact: cannot seal the recording: ${error instanceof Error ? error.message : String(error)}. Next: reenact ls --store ${store}\n`);
    return [];
  }
}

/** The only one, else the last failed, else the last. */
function pick(runs: RunFile[]): RunFile | null {
  const ordered = [...runs].sort((a, b) => (BigInt(a.manifest.started) < BigInt(b.manifest.started) ? -1 : 1));
  return ordered.findLast((r) => r.header.status !== "ok") ?? ordered.at(-1) ?? null;
}

function summaryOf(runs: RunFile[], named: RunFile | null, store: string, exitCode: number): object {
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
