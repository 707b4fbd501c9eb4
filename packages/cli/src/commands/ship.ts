import type { Command } from "commander";
import { sealSpool } from "@reenact/node/seal";
import { type ShipReport, shipStore } from "@reenact/node/send";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { CliError } from "../cli-error.ts";
import { environment } from "../environment.ts";
import { droppedLine, refusalLine, sendTrouble } from "../send-trouble.ts";
import { count, oneLine } from "../terminal-text.ts";

interface Options extends BaseOptions {
  json?: boolean;
  local?: boolean;
}

export function shipCommand(): Command {
  return baseCommand("ship", "send what was recorded while its collector was away, or keep it here", [
    "reenact ship",
    "REENACT_ENDPOINT=https://collector.example REENACT_API_KEY=… reenact ship",
    "reenact ship --local",
  ])
    .option("--local", "seal it into the local store instead; it is not sent any more")
    .option("--json", "machine-readable")
    .action(async (options: Options) => {
      if (options.local) keepHere(options);
      else await ship(options);
    });
}

function keepHere({ store, json, quiet }: Options): void {
  let runs: string[];
  try {
    runs = sealSpool(store, { unsent: true }).map(({ run }) => run);
  } catch (error) {
    throw CliError.store(store, "a recording cannot be sealed into", error);
  }
  if (json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, local: runs, sent: [], waiting: [] })}\n`);
  else if (!quiet) process.stdout.write(`${count(runs.length, "run")} kept in ${store}\n`);
}

async function ship({ store, json, quiet }: Options): Promise<void> {
  let report: ShipReport;
  try {
    report = await shipStore(store, { env: environment() });
    if (report.refused.length > 0) sealSpool(store);
  } catch (error) {
    throw CliError.store(store, "what waits cannot be read in", error);
  }
  const { sent, waiting, refused } = report;
  if (json) {
    const told = {
      sent: sent.map(({ run, target }) => ({ run, to: target.url })),
      waiting: waiting.map(({ target, runs, trouble }) => ({ to: target.url, runs: runs.length, why: trouble.why })),
      refused: refused.map(({ target, spans, why }) => ({ to: target.url, spans, why })),
    };
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, local: [], ...told })}\n`);
  } else {
    for (const { run, target } of sent) process.stdout.write(`run ${run.slice(0, 6)} → ${oneLine(target.url, 200)}\n`);
    if (!quiet && sent.length === 0 && waiting.length === 0) process.stderr.write("nothing waits to be sent\n");
  }
  for (const each of refused) process.stderr.write(refusalLine(each));
  if (report.dropped > 0) process.stderr.write(droppedLine(report.dropped, store));
  const [first, ...others] = waiting.map((each) => sendTrouble(each, store));
  for (const each of others) process.stderr.write(each.line);
  if (first !== undefined) throw first;
}
