import type { Command } from "commander";
import { withServer } from "../remote/remote-options.ts";
import { baseCommand } from "./base-command.ts";

/** A command that marks one run of a collector: a run reference, `--server`, `--token` and `--json`. */
export function markCommand(name: string, description: string, examples: readonly string[]): Command {
  return withServer(baseCommand(name, description, examples))
    .argument("<run>", "run reference")
    .option("--json", "machine-readable");
}
