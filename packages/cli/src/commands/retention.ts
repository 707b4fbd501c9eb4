import type { Command } from "commander";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import type { Operations } from "../remote/api-operations.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";
import { serverOf } from "../remote/server-of.ts";

type Plan = Operations["getRetention"]["answer"];
type Amount = Plan["goes"]["short"];
type Amounts = Plan["goes"];

export function retentionCommand(): Command {
  const command = baseCommand(
    "retention",
    "show which runs a collector would remove now, and the cost of storage; removes nothing",
    ["reenact retention --server https://collector.example", "reenact retention --json"],
  );
  return withServer(command)
    .option("--json", "machine-readable")
    .action(async (options: BaseOptions & RemoteOptions & { json?: boolean }) => {
      const plan = await serverOf(options).call("getRetention");
      if (options.json) process.stdout.write(`${JSON.stringify(plan)}\n`);
      else process.stdout.write(printPlan(plan));
    });
}

function printPlan({ goes, stays, usdPerMonth, price }: Plan): string {
  const line = (name: string, { runs, packs, bytes }: Amount): string =>
    `  ${name.padEnd(7)} ${count(runs, "run").padEnd(14)} ${count(packs, "pack").padEnd(12)} ${size(bytes)}`;
  const side = (title: string, amounts: Amounts, usd: number): string[] => [
    `${title}  $${usd.toFixed(usd < 1 ? 4 : 2)} a month`,
    ...(["short", "sample", "keep"] as const).map((name) => line(name, amounts[name])),
  ];
  return `${[
    ...side("would go now", goes, usdPerMonth.goes),
    ...side("stays", stays, usdPerMonth.stays),
    `price: $${price.usdPerGbMonth} per GB and month (${price.source})`,
  ].join("\n")}\n`;
}

function size(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
