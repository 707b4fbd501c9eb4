import type { Command } from "commander";
import { count, dollars } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import type { Operations } from "../remote/api-operations.ts";
import { type RemoteOptions, withServer } from "../remote/remote-options.ts";
import { serverOf } from "../remote/server-of.ts";

type Plan = Operations["getRetention"]["answer"];
type Amount = Plan["goes"]["short"];
type Amounts = Plan["goes"];

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  short?: string;
  sample?: string;
  sampleShare?: string;
}

export function retentionCommand(): Command {
  const command = baseCommand(
    "retention",
    "show which runs a collector would remove now, and the cost of storage; removes nothing",
    [
      "reenact retention --server https://collector.example",
      "reenact retention --short 14d --sample 90d",
      "reenact retention --json",
    ],
  );
  return withServer(command)
    .option("--short <duration>", "as if this class were kept for so long: 12h, 30d")
    .option("--sample <duration>", "the same of this class")
    .option("--sample-share <number>", "as if this share of runs, 0 to 1, went into sample; for the prediction alone")
    .option("--json", "machine-readable")
    .action(async (options: Options) => {
      const { short, sample, sampleShare } = options;
      const query = { short, sample, ...(sampleShare !== undefined && { sampleShare: Number(sampleShare) }) };
      const plan = await serverOf(options).call("getRetention", { query });
      if (options.json) process.stdout.write(`${JSON.stringify(plan)}\n`);
      else process.stdout.write(printPlan(plan));
    });
}

function printPlan({ goes, stays, usdPerMonth, price, predicted, times }: Plan): string {
  const line = (name: string, { runs, packs, bytes }: Amount): string =>
    `  ${name.padEnd(7)} ${count(runs, "run").padEnd(14)} ${count(packs, "pack").padEnd(12)} ${size(bytes)}`;
  const side = (title: string, amounts: Amounts, usd: number): string[] => [
    `${title}  ${dollars(usd)} a month`,
    ...(["short", "sample", "keep"] as const).map((name) => line(name, amounts[name])),
  ];
  return `${[
    ...side("would go now", goes, usdPerMonth.goes),
    ...side("stays", stays, usdPerMonth.stays),
    `will hold  (short kept ${days(times.short)}, sample ${days(times.sample)}; keep in a year)`,
    ...(["short", "sample", "keep"] as const).map((name) => {
      const { bytesPerDay, bytes, usdPerMonth: usd } = predicted[name];
      return `  ${name.padEnd(7)} ${size(bytes).padEnd(14)} ${`${size(bytesPerDay)} a day`.padEnd(18)} ${dollars(usd)} a month`;
    }),
    `price: ${dollars(price.usdPerGbMonth)} per GB and month (${price.source})`,
  ].join("\n")}\n`;
}

const days = (ms: number): string => `${Math.round(ms / 8_640_000) / 10} d`;

function size(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
