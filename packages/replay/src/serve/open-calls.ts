import type { Step } from "@reenact/capture/recorder";
import type { Ledger } from "../verdict/ledger.ts";
import type { Tape, RecordedStep } from "../tape/tape.ts";

/** The recorded calls of a tool at its place, under all numbers, that are not met yet. */
export function openCalls({ path, op }: Step, tape: Tape, ledger: Ledger): RecordedStep[] {
  const name = path.slice(0, path.lastIndexOf("#") + 1);
  return tape.ordered.filter(
    ({ index, kind, record }) =>
      kind === "TOOL" &&
      record.op === op &&
      record.path.lastIndexOf("#") === name.length - 1 &&
      record.path.startsWith(name) &&
      !ledger.met(index),
  );
}
