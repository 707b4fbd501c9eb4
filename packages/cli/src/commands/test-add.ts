import { type Command, Option } from "commander";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { tapeOf } from "@reenact/replay";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";
import { refuseStrayValues } from "../redact/stray-values.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { painter } from "../render/painter.ts";
import { shellWords } from "../render/shell-words.ts";
import { resultLines } from "../render/test-report.ts";
import { openStore } from "../store/open-store.ts";
import { openRun } from "../store/run-source.ts";
import { addFixture, fixtureName, runnerOf } from "../tests/add-fixture.ts";
import { fixtureAt, FIXTURES } from "../tests/fixture-files.ts";
import { recordedCommand } from "../tests/recorded-command.ts";
import { runFixtures } from "../tests/run-fixtures.ts";
import { PACKAGE_OF, type Runner, RUNNERS, type TestedFunction } from "../tests/test-file.ts";

interface Options extends BaseOptions, RemoteOptions {
  name?: string;
  dir: string;
  expect?: "same" | "fixed";
  runner?: Runner;
  function?: string;
  runTool: string[];
  force?: boolean;
  config?: string;
}

export function testAdd(command: string[] | null): Command {
  const base = baseCommand("add", "make a test of a recorded run: its record, what is expected, and a test file", [
    "reenact test add @failed -- node agent.js",
    "reenact test add 7f3a91 --name refund --run-tool delete_order -- node agent.js",
    "reenact test add @last --function src/agent.js#answer",
  ]);
  return withRemote(base)
    .usage("[options] <run> [-- <command...>]")
    .argument("<run>", "run reference")
    .option("--name <name>", "name of the fixture; default: the run's")
    .option("--dir <folder>", "folder of the fixture", FIXTURES)
    .addOption(
      new Option(
        "--expect <what>",
        "same: the agent does what was recorded; fixed: it leaves the recorded failure. Default: fixed for a run that failed or was flagged",
      ).choices(["same", "fixed"]),
    )
    .addOption(
      new Option("--runner <name>", "what the test file is for; default: vitest where the project has it").choices(
        RUNNERS,
      ),
    )
    .option("--function <module#export>", "replay around this function of the project instead of starting a command")
    .option(
      "--run-tool <name>",
      "run the body of this tool instead of serving it (repeatable)",
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option("--force", "replace a fixture of this name")
    .option("--config <file>", "configuration file with the redaction policy")
    .action(async (reference: string, options: Options) => {
      openStore(options.store);
      const { run, bytes, flags } = await openRun(reference, options);
      // it goes into a repository
      refuseStrayValues(run, projectScrubber(options), reference);
      const tape = tapeOf(run);
      const project = process.cwd();
      const name = nameOf(options.name ?? fixtureName(tape.root.name ?? "", tape.runId));
      const fn = options.function === undefined ? null : functionOf(options.function, project);
      const runner = options.runner ?? runnerOf(project);
      const files = addFixture({
        name,
        folder: resolve(options.dir),
        project,
        bytes,
        definition: {
          run: tape.runId,
          expect: options.expect ?? (tape.status === "ok" && flags.length === 0 ? "same" : "fixed"),
          command: fn === null ? (command ?? recordedCommand(tape, project) ?? noCommand(reference)) : null,
          runTools: options.runTool,
        },
        runner,
        fn,
        force: options.force ?? false,
      });
      if (options.quiet === true) return;
      await tell(Object.values(files), files.definition, options);
      if (!isInstalled(PACKAGE_OF[runner], project))
        process.stderr.write(`${relative(project, files.test)} needs: npm install -D ${PACKAGE_OF[runner]}\n`);
    });
}

async function tell(files: readonly string[], definition: string, { store }: Options): Promise<void> {
  for (const file of files) process.stderr.write(`wrote ${relative(process.cwd(), file)}\n`);
  const paint = painter(process.stderr);
  const fixture = fixtureAt(definition);
  const [result] = await runFixtures([fixture], { store: resolve(store), timeoutMs: 60_000 }, (each) => {
    process.stderr.write(`with the code of now:\n${resultLines(each, paint)}`);
  });
  if (result?.status === "skipped") return;
  process.stderr.write(`next: ${shellWords(["reenact", "test"])}\n`);
}

function isInstalled(name: string, project: string): boolean {
  try {
    createRequire(join(project, "package.json")).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function nameOf(name: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return name;
  throw new CliError(
    "REEN-USAGE",
    `"${name}" is no name for files: letters, digits, ".", "_" and "-"`,
    "reenact test add <run> --name refund",
  );
}

function functionOf(text: string, project: string): TestedFunction {
  const [, file = "", name = ""] = /^(.+)#([A-Za-z_$][\w$]*)$/.exec(text) ?? [];
  const module = join(project, file);
  if (file === "")
    throw new CliError("REEN-USAGE", `"${text}" is no function`, "--function src/agent.js#answer: module, #, export");
  if (!existsSync(module)) throw new CliError("REEN-NO-FILE", `no such file: ${file}`, "check the path before the #");
  return { module, name };
}

function noCommand(reference: string): never {
  throw new CliError(
    "REEN-NO-COMMAND",
    "the run does not say which program of this folder it was",
    `reenact test add ${reference} -- node agent.js`,
  );
}
