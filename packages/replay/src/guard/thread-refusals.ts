import { appendFileSync, readFileSync, rmSync } from "node:fs";
import type { ReplayReport } from "../verdict/replay-report.ts";
import type { Refusal } from "./refusals.ts";
import { fromCaller } from "./caller-stack.ts";
import { type Refuse, RefusedEffect } from "./refused-effect.ts";

/** Beside the report: a thread may be stopped at any moment, and does not know the ledgers of the process. */
const fileOf = (report: string): string => `${report}.threads`;

/** What may differ because a thread got nothing from outside. */
const MAY_FOLLOW = new Set(["error", "output-changed", "stderr-changed", "exit-code-changed", "files-changed"]);

/** The report, whose first cause names what a thread was refused where no call differs before: the rest may follow from that. */
export function blameThreads(report: ReplayReport, refusals: readonly string[]): ReplayReport {
  const { divergence } = report;
  const [first] = refusals;
  if (first === undefined || divergence === null || divergence.step !== null || !MAY_FOLLOW.has(divergence.verdict))
    return report;
  const cause = `${first}, since what threads ask for is in no record; then ${divergence.cause}`;
  return { ...report, divergence: { ...divergence, cause } };
}

/** Inside a thread: reports its refusals to the process. */
export function threadRefuser(report: string): Refuse {
  return (kind, target) => {
    appendFileSync(fileOf(report), `${JSON.stringify({ kind, target })}\n`, { mode: 0o600 });
    return fromCaller(() => new RefusedEffect(kind, target));
  };
}

/** In the process: what its threads were refused, each once, for people. */
export function threadRefusals(report: string): string[] {
  try {
    const lines = readFileSync(fileOf(report), "utf8").split("\n");
    rmSync(fileOf(report));
    const told = lines
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Pick<Refusal, "kind" | "target">);
    return [...new Set(told.map(({ kind, target }) => `a thread was refused: ${kind} ${target}`))];
  } catch {
    return [];
  }
}
