import { type Command, InvalidArgumentError } from "commander";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { CliError } from "../cli-error.ts";
import { openStore } from "../open-store.ts";
import { painter } from "../painter.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { openRun } from "../run-source.ts";
import { printStep, printTranscript } from "../transcript.ts";
import { stepsOf, type ShownStep } from "../shown-step.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  step?: number;
  raw?: boolean;
}

export function showCommand(): Command {
  const command = baseCommand("show", "one run as a transcript, one of its steps, or the raw spans", [
    "reenact show @last",
    "reenact show 7f3a91 --step 4",
    "reenact show @failed --json",
    "reenact show 7f3a91 --server https://collector.example",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference")
    .option("--step <n>", "one step whole, by its number from 1", stepNumber)
    .option("--raw", "every span with its attributes, as JSON lines")
    .option("--json", "machine-readable")
    .action(async (reference: string, options: Options) => {
      openStore(options.store);
      const { run, place } = await openRun(reference, options, { damaged: "read-up-to" });
      if (run.damage !== null)
        process.stderr.write(CliError.from(run.damage, `${place}: what is before the damage is shown`).line);
      if (options.raw) {
        for (const { span } of run.spans)
          process.stdout.write(`${JSON.stringify(span, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))}\n`);
        return;
      }
      const steps = stepsOf(run);
      const wanted = options.step === undefined ? null : one(steps, options.step, reference);
      if (options.json) {
        const { spans: _, ...facts } = run.manifest;
        process.stdout.write(
          `${JSON.stringify({ schemaVersion: 1, manifest: facts, steps: wanted === null ? steps : [wanted] })}\n`,
        );
      } else if (wanted !== null) process.stdout.write(printStep(wanted));
      else process.stdout.write(printTranscript(run, steps, painter(process.stdout)));
    });
}

function one(steps: ShownStep[], number: number, reference: string): ShownStep {
  const found = steps.find((s) => s.step === number);
  if (found === undefined)
    throw new CliError(
      "REEN-NO-STEP",
      `run ${reference} has no step ${number}; it has ${steps.length}`,
      `reenact show ${reference}`,
    );
  return found;
}

function stepNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Steps are counted from 1.");
  return Number(text);
}
