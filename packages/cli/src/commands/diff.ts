import type { Command } from "commander";
import { diffRuns } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { painter } from "../render/painter.ts";
import { printDiff } from "../render/run-diff.ts";
import { openStore } from "../store/open-store.ts";
import { openRun } from "../store/run-source.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  all?: boolean;
}

export function diffCommand(): Command {
  const command = baseCommand("diff", "two runs step by step: the first difference on top", [
    "reenact diff @-2 @last",
    "reenact diff 7f3a91 c01d55 --all",
    "reenact diff good.reenact @failed --json",
  ]);
  return withRemote(command)
    .argument("<before>", "run reference")
    .argument("<after>", "run reference")
    .option("--all", "also show equal steps")
    .option("--json", "machine-readable")
    .action(async (before: string, after: string, options: Options) => {
      openStore(options.store);
      const [first, second] = [await openRun(before, options), await openRun(after, options)];
      const diff = diffRuns(first.run, second.run);
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ schemaVersion: 1, ...diff })}\n`
          : printDiff(diff, { all: options.all === true, paint: painter(process.stdout) }),
      );
    });
}
