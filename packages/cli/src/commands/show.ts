import { Command } from "commander";
import { readFileSync } from "node:fs";
import { readEnvelope } from "@reenact/envelope/file";
import { sealSpool } from "@reenact/node/seal";
import { CliError } from "../cli-error.ts";
import { findRun } from "../run-reference.ts";
import { printStep, printTranscript } from "../transcript.ts";
import { storeOption } from "../store-option.ts";
import { stepsOf, type ShownStep } from "../shown-step.ts";

interface Options {
  store: string;
  json?: boolean;
  step?: string;
  raw?: boolean;
}

export function showCommand(): Command {
  return new Command("show")
    .description("one run as a transcript, one of its steps, or the raw spans")
    .argument("<run>", "run reference")
    .addOption(storeOption())
    .option("--step <n>", "one step whole, by its number from 1")
    .option("--raw", "every span with its attributes, as JSON lines")
    .option("--json", "machine-readable")
    .addHelpText("after", "\nExamples:\n  reenact show @last\n  reenact show 7f3a91 --step 4\n  reenact show @failed --json")
    .action((reference: string, options: Options) => {
      sealSpool(options.store);
      const { path, manifest } = findRun(options.store, reference);
      const run = readEnvelope(readFileSync(path), { damaged: "read-up-to" });
      if (run.damage !== null) process.stderr.write(`reenact: ${run.damage.message}; what is before the damage is shown\n`);
      if (options.raw) {
        for (const { span } of run.spans) process.stdout.write(`${JSON.stringify(span, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))}\n`);
        return;
      }
      const steps = stepsOf(run);
      const wanted = options.step === undefined ? null : one(steps, options.step, reference);
      if (options.json) {
        const { spans: _, ...facts } = manifest;
        process.stdout.write(`${JSON.stringify({ schemaVersion: 1, manifest: facts, steps: wanted === null ? steps : [wanted] })}\n`);
      } else if (wanted !== null) process.stdout.write(printStep(wanted));
      else process.stdout.write(printTranscript(run, steps));
    });
}

function one(steps: ShownStep[], number: string, reference: string): ShownStep {
  const found = steps.find((s) => s.step === Number(number));
  if (found === undefined) throw new CliError("REEN-NO-STEP", `run ${reference} has no step ${number}; it has ${steps.length}`, `reenact show ${reference}`);
  return found;
}
