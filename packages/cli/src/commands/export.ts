import type { Command } from "commander";
import { joinTraces, otlpJson } from "@reenact/envelope";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { openRun } from "../store/run-source.ts";
import { refuseStrayValues } from "../redact/stray-values.ts";
import { writeOutput } from "../process/write-output.ts";

interface Options extends BaseOptions, RemoteOptions {
  otlp?: boolean;
  json?: boolean;
  output?: string;
  asIs?: boolean;
  config?: string;
}

export function exportCommand(): Command {
  const command = baseCommand("export", "write a run as OTLP protobuf or as OTLP JSON", [
    "reenact export @last --otlp -o run.otlp",
    "reenact export 7f3a91 --json | jq .",
    "reenact export s3://bucket/runs/7f3a91 --otlp -o run.otlp",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference")
    .option("--otlp", "OTLP TracesData, protobuf")
    .option("--json", "OTLP TracesData, JSON")
    .option("-o, --output <file>", "write here; -: to standard output, as without it")
    .option("--as-is", "also where the redaction rules of now find values in it")
    .option("--config <file>", "configuration file with the redaction policy")
    .action(async (reference: string, options: Options) => {
      if (options.otlp === options.json)
        throw new CliError("REEN-USAGE", "name one format: --otlp or --json", `reenact export ${reference} --json`);
      openStore(options.store);
      const { run } = await openRun(reference, options);
      if (!options.asIs) refuseStrayValues(run, projectScrubber(options), reference);
      const bytes = joinTraces(run.spans.map((s) => s.scanned)).bytes;
      const out = options.otlp ? Buffer.from(bytes) : Buffer.from(`${JSON.stringify(otlpJson(bytes))}\n`);
      if (options.output === undefined || options.output === "-") process.stdout.write(out);
      else writeOutput(options.output, out);
    });
}
