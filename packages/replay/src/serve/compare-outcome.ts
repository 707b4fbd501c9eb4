import { shortValue } from "../tape/short-value.ts";
import { decodeValue } from "@reenact/envelope";
import type { Ledger } from "../verdict/ledger.ts";
import type { RecordedStep } from "../tape/tape.ts";

/** Reports what became of the body of a tool that ran although a record exists. */
export function compareOutcome(
  step: RecordedStep,
  outcome: { value: unknown } | { error: unknown },
  ledger: Ledger,
): void {
  const { call } = step.record;
  if (call === undefined) return;
  const recorded =
    call.error === undefined ? `returned ${shortValue(decoded(call.result))}` : `threw ${nameOf(decoded(call.error))}`;
  const now = "error" in outcome ? `threw ${nameOf(outcome.error)}` : `returned ${shortValue(outcome.value)}`;
  const tool = `${step.kind === "STEP" ? "step()" : "tool"} ${step.name} (step ${step.index + 1})`;
  if (recorded !== now) ledger.ranOtherwise(step, `${tool} ${now} (recorded: ${recorded})`);
  const tried = ledger.refused
    .filter((r) => r.tool === step.name)
    .map((r) => `reached refused effect: ${r.kind} ${r.target}`);
  ledger.notes.push(`${[`${tool} ${now}`, ...tried].join("; ")} (recorded: ${recorded})`);
}

function decoded(text: string | undefined): unknown {
  return text === undefined ? undefined : decodeValue(text);
}

function nameOf(error: unknown): string {
  return error instanceof Error
    ? `${error.constructor.name === "Error" ? error.name : error.constructor.name}: ${error.message}`
    : shortValue(error);
}
