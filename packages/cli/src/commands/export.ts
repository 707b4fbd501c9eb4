import { Command } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { joinTraces, otlpJson } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { sealSpool } from "@reenact/node/seal";
import { CliError } from "../cli-error.ts";
import { findRun } from "../run-reference.ts";
import { storeOption } from "../store-option.ts";

interface Options {
  store: string;
  otlp?: boolean;
  json?: boolean;
  output?: string;
}

export function exportCommand(): Command {
  return new Command("export")
    .description("write a run as OTLP protobuf or as OTLP JSON")
    .argument("<run>", "run reference")
    .addOption(storeOption())
    .option("--otlp", "OTLP TracesData, protobuf")
    .option("--json", "OTLP TracesData, JSON")
    .option("-o, --output <file>", "write here instead of standard output")
    .addHelpText("after", "\nExamples:\n  reenact export @last --otlp -o run.otlp\n  reenact export 7f3a91 --json | jq .")
    .action((reference: string, options: Options) => {
      if (options.otlp === options.json) throw new CliError("REEN-USAGE", "name one format: --otlp or --json", `reenact export ${reference} --json`);
      sealSpool(options.store);
      const { path } = findRun(options.store, reference);
      const { bytes } = joinTraces(readEnvelope(readFileSync(path)).spans.map((s) => s.scanned));
      const out = options.otlp ? Buffer.from(bytes) : Buffer.from(`${JSON.stringify(otlpJson(bytes))}\n`);
      if (options.output === undefined) process.stdout.write(out);
      else writeFileSync(options.output, out);
    });
}
