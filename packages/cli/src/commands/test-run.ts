import { type Command, Option } from "commander";
import { resolve } from "node:path";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { EXIT } from "../errors/error-code.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { writeOutput } from "../process/write-output.ts";
import { type ProjectScrubber, projectScrubber } from "../redact/project-scrubber.ts";
import { painter } from "../render/painter.ts";
import { type Reporter, REPORTERS, resultLines, summaryLine, testReport } from "../render/test-report.ts";
import { fixturesOf, FIXTURES } from "../tests/fixture-files.ts";
import { endWithParent } from "../process/end-with-parent.ts";
import { keepResult, NOT_KEPT } from "../tests/last-results.ts";
import { type FixtureResult, runFixtures } from "../tests/run-fixtures.ts";
import { seconds } from "./seconds.ts";

interface Options extends BaseOptions {
  dir: string;
  reporter: Reporter;
  output?: string;
  timeout: number;
  functions?: boolean;
}

export function testRun(): Command {
  return baseCommand("run", "replay fixtures: no key, no network; exit code 1 if one fails or there is none", [
    "reenact test",
    "reenact test refund --dir test/runs",
    "reenact test --reporter junit -o reenact.xml",
  ])
    .argument("[names...]", "names, files or folders of fixtures; default: all below --dir")
    .option("--dir <folder>", "folder of the fixtures", FIXTURES)
    .addOption(new Option("--reporter <name>", "form of the results").choices(REPORTERS).default("lines"))
    .option("-o, --output <file>", "write the results of json, junit or github here; default: standard output")
    .option("--functions", "run the test files of fixtures that call a function of the project, too")
    .option("--timeout <seconds>", "end a replay that does not end by itself", seconds, 60)
    .action(async (names: string[], options: Options) => {
      const { reporter, output } = options;
      if (reporter === "lines" && output !== undefined)
        throw new CliError("REEN-USAGE", "--output needs a reporter", `reenact test --reporter junit -o ${output}`);
      const fixtures = fixturesOf(names, options.dir);
      const paint = painter(process.stderr);
      const isQuiet = options.quiet === true;
      const keep = resultKeeper(options);
      let isInterrupted = false;
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => (isInterrupted = true));
      endWithParent();
      const results = await runFixtures(
        fixtures,
        {
          store: resolve(options.store),
          timeoutMs: options.timeout * 1000,
          functions: options.functions === true,
          isInterrupted: () => isInterrupted,
        },
        (result) => {
          keep(result);
          if (!isQuiet || result.status === "failed") process.stderr.write(resultLines(result, paint));
        },
      );
      if (reporter !== "lines") write(testReport(results, reporter), output);
      if (!isQuiet) process.stderr.write(summaryLine(results));
      process.exitCode = isInterrupted ? EXIT.interrupted : exitCode(results);
    });
}

/**
 * Keeps each result for the pages of `reenact up`. A store that takes nothing, or a policy that cannot be read, changes no result: it is
 * said once, and no more results are kept.
 */
function resultKeeper(options: Options): (result: FixtureResult) => void {
  let scrubber: ProjectScrubber | null = null;
  let hasFailed = false;
  return (result) => {
    if (hasFailed) return;
    try {
      keepResult(resolve(options.store), result, (scrubber ??= projectScrubber(options)));
    } catch (error) {
      hasFailed = true;
      process.stderr.write(`${NOT_KEPT}: ${messageOf(error)}\n`);
    }
  };
}

function write(report: string, output: string | undefined): void {
  if (output === undefined || output === "-") process.stdout.write(report);
  else writeOutput(output, report);
}

/** A run in which nothing was judged is no success. */
function exitCode(results: readonly FixtureResult[]): number {
  const isJudged = results.some(({ status }) => status === "passed");
  return isJudged && results.every(({ status }) => status !== "failed") ? EXIT.ok : EXIT.failed;
}
