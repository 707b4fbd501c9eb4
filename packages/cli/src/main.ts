import { Command, CommanderError } from "commander";
import { EnvelopeError } from "@reenact/envelope";
import { CliError, EXIT } from "./cli-error.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { lsCommand } from "./commands/ls.ts";
import { replayCommand } from "./commands/replay.ts";
import { runCommand } from "./commands/run.ts";
import { showCommand } from "./commands/show.ts";
import { version } from "./version.ts";

/** The `reenact` command: takes its arguments, returns its exit code. Everything after `--` is the user's. */
export async function main(argv: string[]): Promise<number> {
  const at = argv.indexOf("--");
  const own = at === -1 ? argv : argv.slice(0, at);
  const command = at === -1 ? null : argv.slice(at + 1);
  const program = new Command("reenact")
    .description("The flight recorder for AI agents: record a run, replay it exactly.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`reenact: ${text.replace(/^error: /, "")}`) })
    .addHelpText(
      "after",
      `
Examples:
  reenact run -- node agent.js               record an agent; nothing in it changes
  reenact ls                                 what was recorded
  reenact show @last                         the last run, as a transcript
  reenact replay @last -- node agent.js      run the code again, every call served from the record

Everything after -- is your command. A run is named by 4 digits of its id, @last, @failed, @-2, or a file.`,
    );
  for (const build of [runCommand, lsCommand, showCommand, replayCommand, exportCommand, importCommand, doctorCommand]) program.addCommand(build(command).exitOverride());
  try {
    await program.parseAsync(own, { from: "user" });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    return tell(error, own.includes("--verbose"));
  }
}

function tell(error: unknown, verbose: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CliError) {
    process.stderr.write(`reenact: ${error.message}. Next: ${error.next} [${error.code}]\n`);
    return error.exit;
  }
  if (error instanceof EnvelopeError) {
    process.stderr.write(`reenact: ${error.message}.${error.next === "" ? "" : ` Next: ${error.next}`} [${error.code}]\n`);
    return EXIT.usage;
  }
  process.stderr.write(`reenact: ${verbose && error instanceof Error ? error.stack : error instanceof Error ? error.message : String(error)}\n`);
  return EXIT.failed;
}
