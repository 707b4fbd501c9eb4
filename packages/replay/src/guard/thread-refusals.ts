import { appendFileSync, readFileSync, rmSync } from "node:fs";
import type { Refusal } from "./refusals.ts";
import { fromCaller } from "./caller-stack.ts";
import { type Refuse, RefusedEffect } from "./refused-effect.ts";

/** Beside the report: a thread may be stopped at any moment, and does not know the ledgers of the process. */
const fileOf = (report: string): string => `${report}.threads`;

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
