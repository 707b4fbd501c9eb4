import type { Step } from "@reenact/capture/recorder";
import { nameOfSlot } from "./slot-name.ts";
import { type RecordedStep, slotOf } from "./tape.ts";

/** A recorded call for people: its operation, and of a database what was asked of it: `openai.chat`, `db:redis GET user:*`. */
export function stepName({ kind, name, record }: RecordedStep): string {
  return requestName({ kind, name, op: record.op });
}

/** A call of this run, without its path. */
export function requestName({ kind, name, op }: Readonly<Record<"kind" | "name" | "op", string>>): string {
  return kind === "DB" && name !== "" ? `${op} ${name}` : op;
}

/** A call of this run, with its path. */
export function callName(step: Step): string {
  return requestName({ kind: step.kind, name: step.name, op: nameOfSlot(slotOf(step)) });
}
