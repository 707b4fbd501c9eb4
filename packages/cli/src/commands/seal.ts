import type { Command } from "commander";
import { sealSpool } from "@reenact/node/seal";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { sealingOf } from "../store/background-sealing.ts";
import { runPaths } from "../store/run-files.ts";

export function sealCommand(): Command {
  return baseCommand("seal", "seal what ended processes have recorded; other commands do so, too, for a second", [
    "reenact seal",
  ]).action(({ store, quiet }: BaseOptions) => {
    runPaths(store);
    let runs: number;
    try {
      runs = sealSpool(store).length;
    } catch (error) {
      throw CliError.store(store, "a recording cannot be sealed into", error);
    }
    if (quiet) return;
    process.stdout.write(`${count(runs, "run")} sealed in ${store}\n`);
    const others = sealingOf(store);
    if (others !== null) process.stderr.write(`${others}\n`);
  });
}
