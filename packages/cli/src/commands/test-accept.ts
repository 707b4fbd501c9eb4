import type { Command } from "commander";
import { resolve } from "node:path";
import { changes, definitionText, type Fixture, isReproducible, type Outcome, replayFixture } from "@reenact/testing";
import { safe } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { writeOutput } from "../process/write-output.ts";
import { painter } from "../render/painter.ts";
import { fixturesOf, FIXTURES } from "../tests/fixture-files.ts";
import { seconds } from "./seconds.ts";

interface Options extends BaseOptions {
  dir: string;
  dryRun?: boolean;
  timeout: number;
}

export function testAccept(): Command {
  return baseCommand("accept", "expect the outcome of the current code from now on, and show what that changes", [
    "reenact test accept refund",
    "reenact test accept refund --dry-run",
  ])
    .argument("<names...>", "names or files of fixtures")
    .option("--dir <folder>", "folder of the fixtures", FIXTURES)
    .option("--dry-run", "show the change and write nothing")
    .option("--timeout <seconds>", "end a replay that does not end by itself", seconds, 60)
    .action(async (names: string[], options: Options) => {
      for (const fixture of fixturesOf(names, options.dir)) await accept(fixture, options);
    });
}

async function accept(fixture: Fixture, options: Options): Promise<void> {
  const { name, definition, definitionFile } = fixture;
  if (definition === null || definition.command === null)
    throw new CliError(
      "REEN-FIXTURE",
      `the fixture ${name} names no command`,
      `run its test, and copy the outcome of the failure to "accepted" in ${definitionFile}`,
    );
  const { outcome, report } = await replayFixture(definitionFile, undefined, {
    store: resolve(options.store),
    timeoutMs: options.timeout * 1000,
  });
  if (!isReproducible(outcome))
    throw new CliError(
      "REEN-FIXTURE",
      `${name}: ${report.divergence?.cause ?? report.stopped?.message ?? outcome.verdict}: that is no outcome to compare with`,
      `reenact test ${name}`,
    );
  const lines = changes(definition.accepted, outcome);
  const paint = painter(process.stderr);
  process.stderr.write(`${name}: ${lines.length === 0 ? "nothing changes" : summaryOf(outcome)}\n`);
  for (const line of lines) process.stderr.write(`  ${paint(line.startsWith("+") ? "green" : "red", safe(line))}\n`);
  if (options.dryRun === true || lines.length === 0) return;
  writeOutput(definitionFile, definitionText({ ...definition, accepted: outcome }));
  process.stderr.write(`accepted: review the change of ${definitionFile} with the code\n`);
}

function summaryOf({ verdict, divergence }: Outcome): string {
  if (divergence === null) return `${verdict} is expected now`;
  const where = divergence.step === null ? "" : ` at step ${divergence.step}`;
  return `it is expected to leave the record${where} (${divergence.verdict})`;
}
