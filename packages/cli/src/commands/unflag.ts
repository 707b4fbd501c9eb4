import type { Command } from "commander";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { removeMarks } from "../remote/remove-marks.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";

export function unflagCommand(): Command {
  const command = baseCommand(
    "unflag",
    "remove a flag that was set in a collector, by flag or keep: the run is kept as long as it is without",
    ['reenact unflag 7f3a91 "wrong row" --server https://collector.example'],
  );
  return withServer(command)
    .argument("<run>", "run reference")
    .argument("[reason]", "of the flag; needed where the run has several")
    .option("--json", "machine-readable")
    .action(
      (reference: string, reason: string | undefined, options: BaseOptions & RemoteOptions & { json?: boolean }) =>
        removeMarks(reference, reason ?? null, options),
    );
}
