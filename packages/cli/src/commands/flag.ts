import type { Command } from "commander";
import { type MarkOptions, markRun } from "../remote/mark-run.ts";
import { markCommand } from "./mark-command.ts";

export function flagCommand(): Command {
  return markCommand(
    "flag",
    "flag a run in a collector, which keeps flagged runs for ever unless a rule of its own names them",
    ['reenact flag 7f3a91 "wrong row" --server https://collector.example'],
  )
    .argument("<reason>", "what is wrong with it")
    .action((reference: string, reason: string, options: MarkOptions) =>
      markRun("flag", reference, { reason }, options),
    );
}
