import type { Command } from "commander";
import type { Envelope } from "@reenact/envelope/file";
import { explainStep, modelCallsOf, stepsOf } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { stepNumber, stepOf } from "./step-argument.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { namedRun } from "../remote/named-run.ts";
import { painter } from "../render/painter.ts";
import { printExplanation } from "../render/explanation.ts";
import { openStore } from "../store/open-store.ts";
import { openRun } from "../store/run-source.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
}

/** Steps that are explained where none is named. */
const MOST_STEPS = 50;

export function explainCommand(): Command {
  const command = baseCommand("explain", "where each value in the arguments of a call came from", [
    "reenact explain @failed",
    "reenact explain 7f3a91 8",
    "reenact explain 7f3a91 8 --json",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference")
    .argument("[step]", "one step, by its number from 1; default: every call that a model asked for", stepNumber)
    .option("--json", "machine-readable")
    .action(async (reference: string, step: number | undefined, options: Options) => {
      openStore(options.store);
      const { run } = await openRun(reference, options);
      const numbers = step === undefined ? callingSteps(run) : [stepOf(stepsOf(run), step, reference).step];
      const calls = numbers.slice(0, MOST_STEPS).flatMap((number) => explainStep(run, number));
      const more = Math.max(0, numbers.length - MOST_STEPS);
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ schemaVersion: 1, calls, more })}\n`);
        return;
      }
      const context = { named: namedRun(run.header.run, reference, options), more };
      process.stdout.write(printExplanation(calls, painter(process.stdout), context));
    });
}

/** The steps of tools; where none is recorded, the model calls that asked for one. */
function callingSteps(run: Envelope): number[] {
  const steps = stepsOf(run);
  const tools = steps.filter(({ kind }) => kind === "TOOL");
  const calling = tools.length > 0 ? tools : steps.filter((step) => modelCallsOf(step).length > 0);
  return calling.map(({ step }) => step);
}
