import type { Envelope } from "@reenact/envelope/file";
import { strayValues } from "@reenact/testing";
import { redactedLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import type { ProjectScrubber } from "./project-scrubber.ts";

/** Throws where a run holds values that the rules of now find: it was recorded with other ones, or by another tool. */
export function refuseStrayValues(run: Envelope, scrubber: ProjectScrubber, reference: string): void {
  const counts = strayValues(run, scrubber);
  if (Object.keys(counts).length === 0) return;
  throw new CliError(
    "REEN-STRAY-VALUES",
    `run ${reference} holds what would now be redacted (${redactedLine(counts)}); nothing was written`,
    `record it again, or reenact export ${reference} --as-is`,
  );
}
