import { type Command, InvalidArgumentError, Option } from "commander";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { said } from "../cli-error.ts";
import { openStore } from "../open-store.ts";
import { type Paint, painter } from "../painter.ts";
import { listRuns, type RunFile } from "../run-files.ts";
import { runRow } from "../run-row.ts";
import { count, duration, oneLine } from "../terminal-text.ts";

interface Options extends BaseOptions {
  json?: boolean;
  replays?: boolean;
  status?: string;
  limit: number;
}

export function lsCommand(): Command {
  return baseCommand("ls", "list recorded runs, newest first", [
    "reenact ls",
    "reenact ls --status failed --json",
    "reenact ls --replays --limit 5",
  ])
    .option("--json", "machine-readable")
    .option("--replays", "show replays too")
    .addOption(
      new Option("--status <status>", "only runs that ended so").choices(["ok", "failed", "aborted", "suspended"]),
    )
    .option("--limit <n>", "at most so many", wholeNumber, 50)
    .action((options: Options) => {
      openStore(options.store);
      const { runs, damaged } = listRuns(options.store);
      const wanted = runs.filter(
        (r) =>
          (options.replays || r.manifest.replay === undefined) &&
          (options.status ?? r.header.status) === r.header.status,
      );
      const shown = wanted.slice(0, options.limit);
      for (const { path, error } of damaged)
        process.stderr.write(`reenact: ${oneLine(`cannot read ${path}: ${said(error)}. Next: reenact doctor`, 400)}\n`);
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs: shown.map(runRow), next: null })}\n`);
        return;
      }
      const paint = painter(process.stdout);
      for (const run of shown) process.stdout.write(`${lineOf(run, paint)}\n`);
      if (options.quiet) return;
      if (shown.length === 0) process.stderr.write(`no runs in ${options.store}. Next: reenact run -- node agent.js\n`);
      if (wanted.length > shown.length)
        process.stderr.write(
          `${count(wanted.length - shown.length, "older run")} not shown; --limit ${wanted.length} shows all\n`,
        );
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}

function lineOf(run: RunFile, paint: Paint): string {
  const row = runRow(run);
  const parts = [
    row.status === "ok" ? paint("green", "✓") : paint("red", "✗"),
    row.run.slice(0, 6),
    row.started.replace("T", " ").slice(0, 19),
    oneLine(row.name, 40).padEnd(18),
    `${row.steps} steps (${row.llm} llm, ${row.tools} tools)`.padEnd(28),
    row.durationMs === null ? "–" : duration(row.durationMs),
    row.replayOf === null ? "" : "replay",
    row.status === "aborted" ? "aborted" : "",
    row.complete ? "" : "incomplete",
    row.error === null ? "" : oneLine(row.error, 60),
  ];
  return parts.filter((p) => p !== "").join("  ");
}
