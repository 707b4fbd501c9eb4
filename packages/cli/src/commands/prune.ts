import { type Command, InvalidArgumentError } from "commander";
import { rmSync, statSync } from "node:fs";
import { errorCode } from "@reenact/envelope";
import { eraseVault } from "@reenact/node/vault";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { prunedRuns, type PruneRule } from "../store/pruned-runs.ts";
import { listRuns, type RunFile } from "../store/run-files.ts";

interface Options extends BaseOptions, PruneRule {
  dryRun?: boolean;
  json?: boolean;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

export function pruneCommand(): Command {
  return baseCommand("prune", "delete runs of the local store; those that failed or were flagged stay", [
    "reenact prune --older-than 30d --dry-run",
    "reenact prune --older-than 2w --keep-last 100",
    "reenact prune --replays",
  ])
    .option("--older-than <age>", "runs that began longer ago: 12h, 30d, 8w", age)
    .option("--keep-last <n>", "keep this many of the newest runs, whatever their age", number)
    .option("--replays", "replays only; without another option all of them")
    .option("--all", "also runs that failed, were flagged or are kept")
    .option("--dry-run", "list what would be deleted, without deleting it")
    .option("--json", "machine-readable")
    .action((options: Options) => {
      if (options.olderThan === undefined && options.keepLast === undefined && options.replays !== true)
        throw new CliError(
          "REEN-USAGE",
          "nothing says which runs are to be deleted",
          "reenact prune --older-than 30d --dry-run",
        );
      openStore(options.store, { whole: true });
      const { runs } = listRuns(options.store);
      const chosen = prunedRuns(runs, options, Date.now());
      const deleted = options.dryRun === true ? chosen : chosen.filter((run) => remove(options.store, run));
      tell(deleted, options);
    });
}

/** False: another process has deleted it meanwhile. */
function remove(store: string, { path, header }: RunFile): boolean {
  try {
    // originals first: a run without them is whole, and they are of no use without the run
    eraseVault(store, header.run);
    rmSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw CliError.store(path, "cannot delete", error);
  }
}

function tell(runs: readonly RunFile[], { json, quiet, dryRun }: Options): void {
  const isDry = dryRun === true;
  if (json === true)
    process.stdout.write(
      `${JSON.stringify({ schemaVersion: 1, deleted: isDry ? [] : ids(runs), wouldDelete: isDry ? ids(runs) : [] })}\n`,
    );
  else if (quiet !== true)
    process.stderr.write(
      `${isDry ? "would delete" : "deleted"} ${count(runs.length, "run")}${isDry && runs.length > 0 ? `, ${megabytes(runs)} MB` : ""}\n`,
    );
}

const ids = (runs: readonly RunFile[]): string[] => runs.map(({ header }) => header.run);

function megabytes(runs: readonly RunFile[]): string {
  const bytes = runs.reduce((sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  return (bytes / 1e6).toFixed(1);
}

/** Milliseconds. */
function age(text: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError("It is a number with h, d or w: 30d.");
  return Number(amount) * unitMs;
}

function number(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is a number.");
  return Number(text);
}
