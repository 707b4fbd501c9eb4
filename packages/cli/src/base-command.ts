import { Command, Option } from "commander";

/** Options that every command has. */
export interface BaseOptions {
  /** folder of the store */
  store: string;
  quiet?: boolean;
  verbose?: boolean;
}

/** A command with what all have: store, verbosity, examples. Options stand before or after its arguments. */
export function baseCommand(name: string, description: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option("--store <folder>", "folder of the local store").env("REENACT_STORE").default(".reenact"))
    .option("--quiet", "nothing on standard error but errors")
    .option("--verbose", "where an error came from")
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
}
