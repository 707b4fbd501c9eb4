import { Command, CommanderError } from "commander";
import { CliError } from "./errors/cli-error.ts";
import { EXIT } from "./errors/error-code.ts";
import { refuseMissingSeparator } from "./errors/missing-separator.ts";
import { version } from "./process/version.ts";
import { watchOutput } from "./process/watch-output.ts";

/** In the order of the help. Each is loaded when it is asked for: what it needs is most of a short command's time. */
const COMMANDS: Readonly<Record<string, (command: string[] | null) => Promise<Command>>> = {
  run: async (command) => (await import("./commands/run.ts")).runCommand(command),
  ls: async () => (await import("./commands/ls.ts")).lsCommand(),
  show: async () => (await import("./commands/show.ts")).showCommand(),
  explain: async () => (await import("./commands/explain.ts")).explainCommand(),
  diff: async () => (await import("./commands/diff.ts")).diffCommand(),
  replay: async (command) => (await import("./commands/replay.ts")).replayCommand(command),
  resume: async (command) => (await import("./commands/resume.ts")).resumeCommand(command),
  serve: async (command) => (await import("./commands/serve.ts")).serveCommand(command),
  bisect: async (command) => (await import("./commands/bisect.ts")).bisectCommand(command),
  test: async (command) => (await import("./commands/test.ts")).testCommand(command),
  export: async () => (await import("./commands/export.ts")).exportCommand(),
  import: async () => (await import("./commands/import.ts")).importCommand(),
  rehydrate: async () => (await import("./commands/rehydrate.ts")).rehydrateCommand(),
  prune: async () => (await import("./commands/prune.ts")).pruneCommand(),
  keep: async () => (await import("./commands/keep.ts")).keepCommand(),
  flag: async () => (await import("./commands/flag.ts")).flagCommand(),
  unflag: async () => (await import("./commands/unflag.ts")).unflagCommand(),
  retention: async () => (await import("./commands/retention.ts")).retentionCommand(),
  catalog: async () => (await import("./commands/catalog.ts")).catalogCommand(),
  probe: async () => (await import("./commands/probe.ts")).probeCommand(),
  seal: async () => (await import("./commands/seal.ts")).sealCommand(),
  ship: async () => (await import("./commands/ship.ts")).shipCommand(),
  redact: async () => (await import("./commands/redact.ts")).redactCommand(),
  unseal: async () => (await import("./commands/unseal.ts")).unsealCommand(),
  vault: async () => (await import("./commands/vault.ts")).vaultCommand(),
  demo: async () => (await import("./commands/demo.ts")).demoCommand(),
  doctor: async (command) => (await import("./commands/doctor.ts")).doctorCommand(command),
  up: async (command) => (await import("./commands/up.ts")).upCommand(command),
};

/** The `reenact` command: takes its arguments, returns its exit code. Everything after `--` is the user's. */
export async function main(argv: string[]): Promise<number> {
  const at = argv.indexOf("--");
  const own = at === -1 ? argv : argv.slice(0, at);
  const command = at === -1 ? null : argv.slice(at + 1);
  watchOutput(own[0]);
  try {
    const program = await programOf(own, command);
    if (own.length === 0) throw new CliError("REEN-USAGE", "no command named", "reenact --help");
    refuseMissingSeparator(program, own, command);
    await program.parseAsync(own, { from: "user" });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    return tell(error, own);
  }
}

async function programOf(own: readonly string[], command: string[] | null): Promise<Command> {
  const program = new Command("reenact")
    .description("The flight recorder for AI agents: record a run, replay it exactly.")
    .version(version)
    .exitOverride()
    // a usage error is reported with all other errors
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      "after",
      `
Examples:
  reenact run -- node agent.js               record an agent; nothing in it changes
  reenact ls                                 list recorded runs
  reenact show @last                         the last run, as a transcript
  reenact replay @last -- node agent.js      run the code again, every call served from the record
  reenact replay s3://bucket/runs/7f3a91 -- node agent.js

Everything after -- is your command. A run reference (<run>): the first 4 or more digits of its id, @last, @failed, @-2, a file, or a link.`,
    );
  const [name = ""] = own;
  const one = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const all = await Promise.all((one === undefined ? Object.values(COMMANDS) : [one]).map((load) => load(command)));
  for (const each of all) {
    program.addCommand(each.copyInheritedSettings(program));
    for (const below of each.commands) below.copyInheritedSettings(each);
  }
  return program;
}

/** One line, and the exit code that goes with it. */
function tell(thrown: unknown, own: readonly string[]): number {
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
  const error = thrown instanceof CommanderError ? wrongUsage(thrown, own) : CliError.from(thrown);
  process.stderr.write(error.line);
  if (own.includes("--verbose") && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  return error.exit;
}

function wrongUsage(error: CommanderError, own: readonly string[]): CliError {
  const message = (error.code === "commander.help" ? "no command of it named" : error.message)
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(/\.$/, "");
  const command = own.find((word) => /^[a-z]+$/.test(word));
  const known = command !== undefined && error.code !== "commander.unknownCommand";
  return new CliError("REEN-USAGE", message, known ? `reenact ${command} --help` : "reenact --help", { cause: error });
}
