import type { Command } from "commander";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { markRun } from "../remote/mark-run.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  reason?: string;
}

export function keepCommand(): Command {
  const command = baseCommand("keep", "keep a run in a collector for ever", [
    "reenact keep 7f3a91 --server https://collector.example",
    'reenact keep @failed --reason "ticket 4711"',
  ]);
  return withServer(command)
    .argument("<run>", "run reference")
    .option("--reason <text>", "why; it becomes a flag of the run")
    .option("--json", "machine-readable")
    .action((reference: string, options: Options) =>
      markRun("keep", reference, options.reason === undefined ? {} : { reason: options.reason }, options),
    );
}
