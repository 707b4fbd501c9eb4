import type { Command } from "commander";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { markRun } from "../remote/mark-run.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";

export function flagCommand(): Command {
  const command = baseCommand(
    "flag",
    "flag a run in a collector, which keeps flagged runs for ever unless a rule of its own names them",
    ['reenact flag 7f3a91 "wrong row" --server https://collector.example'],
  );
  return withServer(command)
    .argument("<run>", "run reference")
    .argument("<reason>", "what is wrong with it")
    .option("--json", "machine-readable")
    .action((reference: string, reason: string, options: BaseOptions & RemoteOptions & { json?: boolean }) =>
      markRun("flag", reference, { reason }, options),
    );
}
