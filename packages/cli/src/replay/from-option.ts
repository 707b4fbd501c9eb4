import { Option } from "commander";
import { stepNumber } from "../commands/step-argument.ts";

/** What `--from` of `replay` was given: the number of a step, a place where runs are, or both, one after the other. */
export interface FromOption {
  readonly step?: number;
  readonly place?: string;
}

/** A whole number is a step; a folder with such a name is `./5`. */
export const fromOption = (): Option =>
  new Option(
    "--from <step | place>",
    "a number: compare from this step on, and only serve the earlier ones; else where the run is: s3://bucket/prefix, the folder of a collector's store, or phoenix://host/project",
  ).argParser((text: string, before: FromOption | undefined) =>
    /^-?\d+$/.test(text) ? { ...before, step: stepNumber(text) } : { ...before, place: text },
  );
