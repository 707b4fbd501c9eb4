import type { Command } from "commander";
import type { EnvelopeError } from "@reenact/envelope";
import { redactionsOf, runView } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { stepNumber, stepOf } from "./step-argument.ts";
import { CliError } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { painter } from "../render/painter.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { namedRun } from "../remote/named-run.ts";
import { type OpenedRun, openRun } from "../store/run-source.ts";
import { shortId } from "../store/short-id.ts";
import { printStep, printTranscript } from "../render/transcript.ts";
import { printRedactions } from "../render/redaction-report.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  step?: number;
  raw?: boolean;
  redactions?: boolean;
}

export function showCommand(): Command {
  const command = baseCommand("show", "one run as a transcript, one of its steps, or the raw spans", [
    "reenact show @last",
    "reenact show 7f3a91 --step 4",
    "reenact show @failed --json",
    "reenact show 7f3a91 --redactions",
    "reenact show 7f3a91 --server https://collector.example",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference")
    .option("--step <n>", "one step whole, by its number from 1", stepNumber)
    .option("--raw", "every span with its attributes, as JSON lines")
    .option("--redactions", "what was replaced in each step: by which rule, how often and where, without values")
    .option("--json", "machine-readable")
    .action(async (reference: string, options: Options) => {
      openStore(options.store);
      const opened = await openRun(reference, options, { damaged: "read-up-to" });
      const { run } = opened;
      if (run.damage !== null) process.stderr.write(shownUpTo(opened, run.damage).line);
      if (options.raw) {
        for (const { span } of run.spans)
          process.stdout.write(`${JSON.stringify(span, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))}\n`);
        return;
      }
      const view = runView(run);
      const { steps } = view;
      const wanted = options.step === undefined ? null : stepOf(steps, options.step, reference);
      if (options.redactions) {
        const redactions = redactionsOf(wanted === null ? steps : [wanted]);
        process.stdout.write(
          options.json ? `${JSON.stringify({ schemaVersion: 1, redactions })}\n` : printRedactions(redactions),
        );
      } else if (options.json) {
        const { spans: _, ...facts } = run.manifest;
        const manifest = { ...facts, class: opened.class, flags: opened.flags };
        process.stdout.write(
          `${JSON.stringify({ schemaVersion: 1, manifest, steps: wanted === null ? steps : [wanted] })}\n`,
        );
      } else if (wanted !== null) process.stdout.write(printStep(wanted));
      else {
        const id = shortId(run.header.run, options.store, reference);
        const context = { id, flags: opened.flags, named: namedRun(run.header.run, reference, options) };
        process.stdout.write(printTranscript(view, painter(process.stdout), context));
      }
    });
}

/** What its error would advise has been done. */
function shownUpTo({ place }: OpenedRun, damage: EnvelopeError): CliError {
  const { code, message } = CliError.from(damage, `${place}: what is before the damage is shown`);
  return new CliError(code, message, "bring the file here again from where it came", { cause: damage });
}
