import { InvalidArgumentError } from "commander";
import type { StepView } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";

/** Parses the number of a step. */
export function stepNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Steps are counted from 1.");
  return Number(text);
}

/** Parses a number of steps. */
export const numberOrZero = (text: string): number => (text === "0" ? 0 : stepNumber(text));

/** The step of this number. Throws REEN-NO-STEP where the run that `reference` names has none. */
export function stepOf(steps: readonly StepView[], number: number, reference: string): StepView {
  const found = steps.find(({ step }) => step === number);
  if (found !== undefined) return found;
  throw new CliError(
    "REEN-NO-STEP",
    `run ${reference} has no step ${number}; it has ${steps.length}`,
    `reenact show ${reference}`,
  );
}
