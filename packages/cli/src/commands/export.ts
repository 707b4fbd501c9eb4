import { extname } from "node:path";
import type { Command } from "commander";
import { joinTraces, otlpJson } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { pageOf } from "../render/page-of-run.ts";
import { openStore } from "../store/open-store.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { openRun } from "../store/run-source.ts";
import { refuseStrayValues } from "../redact/stray-values.ts";
import { namedVault, vaultBeside, writeVaultFor } from "../store/vault-run.ts";
import { writeOutput } from "../process/write-output.ts";

const FORMATS = ["envelope", "otlp", "json", "html"] as const;
type Format = (typeof FORMATS)[number];

/** The format that the ending of the output file implies, where no option names one. */
const FORMAT_OF: Readonly<Record<string, Format>> = {
  ".reenact": "envelope",
  ".otlp": "otlp",
  ".json": "json",
  ".html": "html",
};

interface Options extends BaseOptions, RemoteOptions {
  envelope?: boolean;
  otlp?: boolean;
  json?: boolean;
  html?: boolean;
  output?: string;
  asIs?: boolean;
  vaultFor?: string;
  vaultKey?: string;
  config?: string;
}

export function exportCommand(): Command {
  const command = baseCommand(
    "export",
    "write a run as a file: whole, as a page to read, or as OTLP protobuf or JSON",
    [
      "reenact export @last -o checkout.reenact",
      "reenact export @failed --html -o run.html",
      "reenact export @last --otlp -o run.otlp",
      "reenact export 7f3a91 --json | jq .",
      "reenact export s3://bucket/runs/7f3a91 --otlp -o run.otlp",
    ],
  );
  return withRemote(command)
    .argument("<run>", "run reference")
    .option("--envelope", "the run's .reenact file, which replay, show and import read")
    .option("--otlp", "OTLP TracesData, protobuf")
    .option("--json", "OTLP TracesData, JSON")
    .option("--html", "one file with the pages of the run, which a browser opens without a network")
    .option("-o, --output <file>", "write here; -: to standard output, as without it")
    .option("--as-is", "also if the current redaction rules find values in it")
    .option(
      "--vault-for <key>",
      "also write <file>.vault: the originals of redacted values, sealed for the responder with this public key",
    )
    .option("--vault-key <file>", "private key that opens the vault here; default: the key of the store")
    .option("--config <file>", "configuration file with the redaction policy")
    .action(async (reference: string, options: Options) => {
      const format = formatOf(options, reference);
      const beside = besideOf(options, reference);
      openStore(options.store);
      const { run, bytes: file } = await openRun(reference, options);
      if (!options.asIs) refuseStrayValues(run, projectScrubber(options), reference);
      const out =
        format === "envelope" ? file : format === "html" ? await pageOf(run, reference) : tracesOf(run, format);
      if (options.vaultFor !== undefined && beside !== null) {
        const key = options.vaultKey === undefined ? {} : { key: options.vaultKey };
        const named = namedVault(options.store, run.header.run);
        writeVaultFor(options.vaultFor, named, beside, { store: options.store, ...key });
      }
      if (options.output === undefined || options.output === "-") process.stdout.write(out);
      else writeOutput(options.output, out);
    });
}

/** Path of the vault that `--vault-for` writes beside the output; null without that option. */
function besideOf({ vaultFor, output }: Options, reference: string): string | null {
  if (vaultFor === undefined) return null;
  if (output !== undefined && output !== "-") return vaultBeside(output);
  throw new CliError(
    "REEN-USAGE",
    "--vault-for writes a second file beside the first one",
    `reenact export ${reference} -o run.reenact --vault-for <public key>`,
  );
}

function formatOf(options: Options, reference: string): Format {
  const named = FORMATS.filter((format) => options[format] === true);
  const [format = FORMAT_OF[extname(options.output ?? "")]] = named;
  if (named.length < 2 && format !== undefined) return format;
  throw new CliError(
    "REEN-USAGE",
    "name one format: --envelope, --html, --otlp or --json, or a file that ends in .reenact, .html, .otlp or .json",
    `reenact export ${reference} -o run.reenact`,
  );
}

function tracesOf(run: Envelope, format: "otlp" | "json"): Uint8Array {
  const { bytes } = joinTraces(run.spans.map(({ scanned }) => scanned));
  return format === "otlp" ? bytes : Buffer.from(`${JSON.stringify(otlpJson(bytes))}\n`);
}
