import { type RunContext, Tally, valueMarks, valueOfRoot } from "@reenact/capture/recorder";
import type { Ledger } from "../verdict/ledger.ts";
import { decodeValue } from "@reenact/envelope";
import { isWhole, placeholders, wholeParts } from "../match/not-whole.ts";
import { markedValue } from "../match/value-marks.ts";
import type { Requests } from "../match/requests.ts";
import { argumentDifferences } from "../match/typed-arguments.ts";
import type { ValueAlignment } from "../match/value-alignment.ts";
import type { Tape } from "../tape/tape.ts";
import { unsealedRoot } from "../tape/tape-vault.ts";
import { listed } from "../verdict/listed.ts";

const MOST_NAMED = 5;

/** Whether the arguments of the recorded call can be given to the agent again: the record holds all of each. */
export function hasWholeArguments({ root }: Tape): boolean {
  return root.input !== undefined && isWhole(root.input);
}

/** The arguments of the recorded `agent()` call, with their originals where the vault is open; none where none were recorded. */
export function recordedArguments(tape: Tape): unknown[] {
  const { input } = unsealedRoot(tape);
  const args: unknown = input === undefined ? [] : decodeValue(input);
  return Array.isArray(args) ? args : [];
}

/**
 * An `agent()` call with other arguments than recorded is another run, whatever its calls ask for. What no record holds whole (a
 * request of a server, a class instance, a function) is named in the report, and the rest is compared.
 */
export function compareAgentInput(
  run: RunContext,
  tape: Tape,
  ledger: Ledger,
  { requests, alignment }: { requests: Requests; alignment: ValueAlignment },
): void {
  const recorded = tape.root.input;
  const { input } = run.start;
  // nothing is copied in a replay
  if (recorded === undefined || typeof input !== "string") return;
  const tally = new Tally();
  const given = requests.asRecorded(input);
  const now = valueOfRoot(given, run.start.inputJson, requests.scrubber, tally);
  const marks = { recorded: tape.root.inputMarks, now: valueMarks(requests.scrubber, given, tally) };
  // one that is the record itself came from there
  const marked = given === recorded ? null : markedValue(marks, alignment);
  const [before, after] = [wholeParts(recorded), wholeParts(now)];
  const left = placeholders(before);
  const agent = `agent ${tape.root.name ?? ""}`;
  if (left.length > 0) ledger.note(`not compared in the arguments of ${agent}: ${listed(left, MOST_NAMED)}`);
  const first = argumentDifferences(before, after, alignment.same)[0] ?? marked ?? undefined;
  if (first === undefined) return;
  const cause = `${agent} was called with other arguments${first.pointer === "" ? "" : ` at ${first.pointer}`}`;
  ledger.diverged(null, null, "input-changed", first, cause);
}
