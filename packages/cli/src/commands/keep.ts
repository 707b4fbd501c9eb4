import type { Command } from "commander";
import { type MarkOptions, markRun } from "../remote/mark-run.ts";
import { markCommand } from "./mark-command.ts";

interface Options extends MarkOptions {
  reason?: string;
}

export function keepCommand(): Command {
  return markCommand("keep", "keep a run in a collector for ever", [
    "reenact keep 7f3a91 --server https://collector.example",
    'reenact keep @failed --reason "ticket 4711"',
  ])
    .option("--reason <text>", "why; it becomes a flag of the run")
    .action((reference: string, options: Options) =>
      markRun("keep", reference, options.reason === undefined ? {} : { reason: options.reason }, options),
    );
}
