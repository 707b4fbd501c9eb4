import { Command } from "commander";
import { sealSpool } from "@reenact/node/seal";
import { styleText } from "node:util";
import { listRuns, type RunFile } from "../run-files.ts";
import { duration, oneLine } from "../terminal-text.ts";
import { count } from "../terminal-text.ts";
import { storeOption } from "../store-option.ts";

interface Options {
  store: string;
  json?: boolean;
  replays?: boolean;
  status?: string;
  limit: string;
}

export function lsCommand(): Command {
  return new Command("ls")
    .description("list recorded runs, newest first")
    .addOption(storeOption())
    .option("--json", "machine-readable")
    .option("--replays", "show replays too")
    .option("--status <status>", "only ok, failed, aborted or suspended runs")
    .option("--limit <n>", "at most so many", "50")
    .addHelpText("after", "\nExamples:\n  reenact ls\n  reenact ls --status failed --json")
    .action((options: Options) => {
      sealSpool(options.store);
      const { runs, damaged } = listRuns(options.store);
      const wanted = runs.filter((r) => (options.replays || r.manifest.replay === undefined) && (options.status === undefined || r.header.status === options.status));
      const shown = wanted.slice(0, Number(options.limit));
      for (const { path, why } of damaged) process.stderr.write(`reenact: cannot read ${path}: ${why}\n`);
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs: shown.map(rowOf), next: null })}\n`);
        return;
      }
      if (shown.length === 0) process.stderr.write(`no runs in ${options.store}. Next: reenact run -- node agent.js\n`);
      for (const run of shown) process.stdout.write(`${lineOf(run)}\n`);
      if (wanted.length > shown.length) process.stderr.write(`${count(wanted.length - shown.length, "older run")} not shown; --limit ${wanted.length} shows all\n`);
    });
}

export interface Row {
  run: string;
  name: string;
  status: string;
  complete: boolean;
  class: string;
  steps: number;
  llm: number;
  tools: number;
  started: string;
  durationMs: number | null;
  tokens: number;
  cost: number | null;
  error: string | null;
}

export function rowOf({ header, manifest: m }: RunFile): Row {
  return {
    run: header.run,
    name: m.name,
    status: header.status,
    complete: m.complete,
    class: header.class,
    steps: m.slots,
    llm: m.counts["LLM"] ?? 0,
    tools: m.counts["TOOL"] ?? 0,
    started: new Date(Number(BigInt(m.started) / 1_000_000n)).toISOString(),
    durationMs: m.ended === null ? null : Number((BigInt(m.ended) - BigInt(m.started)) / 1_000_000n),
    tokens: m.tokens["total"] ?? (m.tokens["prompt"] ?? 0) + (m.tokens["completion"] ?? 0),
    cost: m.cost?.usd ?? null,
    error: m.error?.message ?? null,
  };
}

function lineOf(run: RunFile): string {
  const row = rowOf(run);
  const mark = row.status === "ok" ? styleText("green", "✓") : styleText("red", "✗");
  const parts = [
    mark,
    row.run.slice(0, 6),
    row.started.replace("T", " ").slice(0, 19),
    row.name.padEnd(18),
    `${row.steps} steps (${row.llm} llm, ${row.tools} tools)`.padEnd(28),
    row.durationMs === null ? "–" : duration(row.durationMs),
    run.manifest.replay === undefined ? "" : "replay",
    row.complete ? "" : "incomplete",
    row.error === null ? "" : oneLine(row.error, 60),
  ];
  return parts.filter((p) => p !== "").join("  ");
}
