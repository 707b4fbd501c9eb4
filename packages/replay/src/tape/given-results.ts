import { readFileSync } from "node:fs";
import { decodeValue, encodeValue, type JournalEvent } from "@reenact/envelope";
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

/** Questions of a suspended run that nobody has answered yet. */
export const openQuestions = ({ status, ordered }: Pick<Tape, "status" | "ordered">): RecordedStep[] =>
  status !== "suspended" ? [] : ordered.filter((step) => isInput(step) && hasNoOutcome(step));

const isInput = ({ record }: RecordedStep): boolean => record.op.startsWith("input:");

const hasNoOutcome = ({ record: { call } }: RecordedStep): boolean =>
  call !== undefined && call.result === undefined && call.error === undefined;

/**
 * The tape of which these steps return what is given; their bodies do not run. What had no outcome, as a question of a suspended
 * run, gets it behind all that the record holds.
 */
export function withGivenResults(tape: Tape, given: readonly GivenResult[]): Tape {
  if (given.length === 0) return tape;
  const results = new Map(given.map(({ step, value }) => [step, encodeValue(givenValue(value)).text]));
  const changed = new Map(tape.ordered.map((step) => [step, changedStep(step, results)]));
  const of = (step: RecordedStep): RecordedStep => changed.get(step) ?? step;
  const late = tape.ordered.filter((step) => results.has(step.index) && hasNoOutcome(step));
  return {
    ...tape,
    journal: [...tape.journal, ...late.flatMap((step) => deliveryOf(step, tape))],
    ordered: tape.ordered.map(of),
    steps: new Map([...tape.steps].map(([index, step]) => [index, of(step)])),
    places: new Map([...tape.places].map(([place, steps]) => [place, steps.map(of)])),
    composite: new Set([...tape.composite].filter((index) => !results.has(index))),
  };
}

function deliveryOf({ index }: RecordedStep, { journal }: Tape): JournalEvent[] {
  const start = journal.find((event) => event.k === "s" && event.id === index);
  return start === undefined || start.k !== "s" ? [] : [{ k: "h", id: index, scope: start.scope }];
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

/** What is said of a call that had not ended. */
export const NO_OUTCOME = "it had no answer";

function outcome(result: string | undefined, error: string | undefined): string {
  if (result === undefined && error === undefined) return NO_OUTCOME;
  const value = decodeValue(error ?? result ?? '""');
  if (error === undefined) return `returned ${shortValue(value)}`;
  return `threw ${value instanceof Error ? `${value.name}: ${value.message}` : shortValue(value)}`;
}
