import { Command, InvalidArgumentError, Option } from "commander";

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
    .addOption(
      new Option("--store <folder>", "folder of the local store")
        .env("REENACT_STORE")
        .default(".reenact")
        .argParser(folderOf),
    )
    .option("--quiet", "print only errors on standard error")
    .option("--verbose", "print the stack of an error")
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
}

/** Collects the values of an option that may be given several times. */
export const several = (value: string, before: string[]): string[] => [...before, value];

/** A bucket would become a folder of a strange name. */
function folderOf(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  throw new InvalidArgumentError("It is a folder; --from reads runs from s3://, up --s3 keeps them there.");
}
