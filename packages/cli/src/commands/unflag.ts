import type { Command } from "commander";
import type { MarkOptions } from "../remote/mark-run.ts";
import { removeMarks } from "../remote/remove-marks.ts";
import { markCommand } from "./mark-command.ts";

export function unflagCommand(): Command {
  return markCommand(
    "unflag",
    "remove a flag that flag or keep has set in a collector; retention no longer counts it",
    ['reenact unflag 7f3a91 "wrong row" --server https://collector.example'],
  )
    .argument("[reason]", "reason of the flag; required if the run has several flags")
    .action((reference: string, reason: string | undefined, options: MarkOptions) =>
      removeMarks(reference, reason ?? null, options),
    );
}
