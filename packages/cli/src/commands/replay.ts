import { Command, Option } from "commander";
import { resolve } from "node:path";
import { writeFileSync } from "node:fs";
import { launchName, sealSpool } from "@reenact/node/seal";
import { exitCodeOf, loadTape, replayCommand as replay } from "@reenact/replay";
import { CliError, EXIT } from "../cli-error.ts";
import { listRuns } from "../run-files.ts";
import { findRun } from "../run-reference.ts";
import { printReport } from "../replay-report.ts";
import { storeOption } from "../store-option.ts";

interface Options {
  store: string;
  json?: boolean;
  jsonFile?: string;
  quiet?: boolean;
  mode: "strict" | "observe";
  runTool: string[];
  serve: string[];
  allowUnrecordedTools?: boolean;
  timeout: string;
}

const several = (value: string, before: string[]): string[] => [...before, value];

export function replayCommand(command: string[] | null): Command {
  return new Command("replay")
    .description("run your code again, every LLM and tool call served from a recorded run")
    .argument("<run>", "run reference")
    .addOption(storeOption())
    .addOption(new Option("--mode <mode>", "strict stops at the first call that is not what was recorded").choices(["observe", "strict"]).default("observe"))
    .option("--run-tool <name>", "run the body of this tool instead of serving it (repeatable)", several, [])
    .option("--serve <name>", "serve this tool although it has inner steps (repeatable)", several, [])
    .option("--allow-unrecorded-tools", "run the bodies of tools that were not recorded; files go to a scratch copy")
    .option("--timeout <seconds>", "kill a replay that does not end by itself", "600")
    .option("--json", "print the report as JSON on standard error's place: after the program's own output")
    .option("--json-file <path>", "write the report here")
    .option("--quiet", "no report for people")
    .addHelpText(
      "after",
      `
Examples:
  reenact replay @last -- node agent.js
  reenact replay 7f3a91 --run-tool delete_order -- node agent.js
  reenact replay failed.reenact --mode strict --json-file report.json -- node agent.js

Exit code: 0 identical, 10 diverged, 11 the recording is incomplete or a tool was not recorded.`,
    )
    .action(async (reference: string, options: Options) => {
      if (command === null || command.length === 0) throw new CliError("REEN-NO-COMMAND", "no command after --", `reenact replay ${reference} -- node agent.js`);
      const seconds = Number(options.timeout);
      if (!(seconds >= 0)) throw new CliError("REEN-USAGE", `--timeout ${options.timeout} is no number of seconds`, "use --timeout 60, or 0 for never");
      sealSpool(options.store);
      const run = findRun(options.store, reference);
      const tape = loadTape(run.path);
      const siblings = listRuns(options.store).runs.filter((r) => r.manifest.instance !== undefined && r.manifest.instance === run.manifest.instance && r.header.run !== run.header.run && r.manifest.replay === undefined);
      const launch = launchName();
      const { report, scratch, failedToStart } = await replay({
        envelope: resolve(run.path),
        tape,
        siblings: siblings.map((s) => resolve(s.path)),
        store: resolve(options.store),
        mode: options.mode,
        runTools: options.runTool,
        serveTools: options.serve,
        allowUnrecordedTools: options.allowUnrecordedTools ?? false,
        command,
        timeoutMs: seconds * 1000,
        launch,
      });
      if (failedToStart !== null) throw new CliError("REEN-CANNOT-START", `cannot start ${command[0]}: ${failedToStart}`, "check the command after --", EXIT.usage);
      sealSpool(options.store, { launch });
      if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, `${JSON.stringify(report)}\n`);
      if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else if (!options.quiet) process.stderr.write(printReport(report, { command, reference, recordedMs: durationOf(run.manifest), scratch }));
      process.exitCode = exitCodeOf(report);
    });
}

function durationOf(m: { started: string; ended: string | null }): number | null {
  return m.ended === null ? null : Number((BigInt(m.ended) - BigInt(m.started)) / 1_000_000n);
}
