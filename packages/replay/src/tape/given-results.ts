import { readFileSync } from "node:fs";
import { decodeValue, encodeValue } from "@reenact/envelope";
import { shortValue } from "./short-value.ts";
import type { RecordedStep, Tape } from "./tape.ts";

/** What a call of a tool or step() returns in a replay instead of what was recorded. */
export interface GivenResult {
  /** number of the step in the recorded run, from 0 */
  readonly step: number;
  /** JSON text, or the path of a file: JSON where its name ends in `.json`, else the text of a string */
  readonly value: { readonly json: string } | { readonly file: string };
}

/** Why the result of a step cannot be given; null: it can. */
export function whyNotGiven({ record: { call } }: RecordedStep): string | null {
  if (call === undefined) return "it was not recorded as a call";
  if (call["generator"] !== undefined) return "it returned a generator";
  return call.result === undefined && call.error === undefined ? "it had not ended when the recording ended" : null;
}

/** Throws `SyntaxError` for JSON that is none, and what `readFileSync` throws. */
export function givenValue(value: GivenResult["value"]): unknown {
  if ("json" in value) return JSON.parse(value.json);
  const text = readFileSync(value.file, "utf8");
  return value.file.endsWith(".json") ? JSON.parse(text) : text;
}

/** The tape of which these steps return what is given; their bodies do not run. */
export function withGivenResults(tape: Tape, given: readonly GivenResult[]): Tape {
  if (given.length === 0) return tape;
  const results = new Map(given.map(({ step, value }) => [step, encodeValue(givenValue(value)).text]));
  const changed = new Map(tape.ordered.map((step) => [step, changedStep(step, results)]));
  const of = (step: RecordedStep): RecordedStep => changed.get(step) ?? step;
  return {
    ...tape,
    ordered: tape.ordered.map(of),
    steps: new Map([...tape.steps].map(([index, step]) => [index, of(step)])),
    places: new Map([...tape.places].map(([place, steps]) => [place, steps.map(of)])),
    composite: new Set([...tape.composite].filter((index) => !results.has(index))),
  };
}

function changedStep(step: RecordedStep, results: ReadonlyMap<number, string>): RecordedStep {
  const { call } = step.record;
  if (call === undefined) return step;
  const result = results.get(step.index);
  // the object of a given result is not the one that another call returned
  const isShared = call.same !== undefined && results.has(call.same);
  if (result === undefined && !isShared) return step;
  const { same: _, ...own } = call;
  if (result === undefined) return { ...step, record: { ...step.record, call: own } };
  const { error: __, ...rest } = own;
  return {
    ...step,
    record: { ...step.record, call: { ...rest, result } },
    given: { recorded: outcome(call.result, call.error), now: outcome(result, undefined) },
  };
}

function outcome(result: string | undefined, error: string | undefined): string {
  const value = decodeValue(error ?? result ?? '""');
  if (error === undefined) return `returned ${shortValue(value)}`;
  return `threw ${value instanceof Error ? `${value.name}: ${value.message}` : shortValue(value)}`;
}
