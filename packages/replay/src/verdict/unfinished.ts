import type { Ledger } from "./ledger.ts";
import type { Waypoint } from "../tape/journal-tape.ts";
import { slotOf, type Tape, type RecordedStep } from "../tape/tape.ts";
import type { Unreached } from "../gate/unreached.ts";

/**
 * Reports deliveries that the recorded run received and this run ended without. The first one is the cause. `intervalOf`: so
 * many recorded deliveries are before it.
 */
export function reportUnfinished(
  ledger: Ledger,
  tape: Tape,
  list: readonly Unreached[],
  intervalOf: (event: Waypoint) => number,
): void {
  const [first, ...others] = list;
  if (first === undefined) return;
  ledger.findings.add("unfinished");
  const step = stepOf(first.event, tape);
  const more = others.length === 0 ? "" : ` (nor for ${others.length} more)`;
  ledger.diverged(
    step === null ? null : step.index + 1,
    step === null ? null : slotOf(step.record),
    "unfinished",
    null,
    first.state === "owed"
      ? `${received(first.event, tape)} in the recorded run; this run ends without waiting for it${more}`
      : `${received(first.event, tape)} in the recorded run; ${neverAsked(first.event, tape)}`,
    intervalOf(first.event),
  );
}

/** The step that a delivery belongs to; null for timers, operations, results of `agent()` calls and native wake-ups. */
export function stepOf(event: Waypoint, tape: Tape): RecordedStep | null {
  return "id" in event && event.k !== "t" && event.k !== "o" && event.k !== "a"
    ? (tape.steps.get(event.id) ?? null)
    : null;
}

/** A recorded delivery as a past event: "the answer of openai.chat (step 3) was received". */
export function received(event: Waypoint, tape: Tape): string {
  const step = stepOf(event, tape);
  const name = step === null ? "a step" : `${step.record.op} (step ${step.index + 1})`;
  switch (event.k) {
    case "s":
      return `${name} was called`;
    case "h":
      return step?.record.call === undefined
        ? `the answer of ${name} was received`
        : `the result of ${name} was received`;
    case "c":
      return step?.record.call === undefined
        ? `part ${event.part + 1} of the body of ${name} was read`
        : `value ${event.part + 1} of ${name} was received`;
    case "e":
      return `the body of ${name} was read to its end`;
    case "t":
      return `a timer fired ${after(event, tape)}`;
    case "o":
      return `a file or other asynchronous operation completed ${after(event, tape)}`;
    case "a":
      return `an agent() call returned or threw ${after(event, tape)}`;
    case "f":
      return `a native resource (${event.label.split(" ", 1)[0]}) woke the program ${after(event, tape)}`;
  }
}

/** A delivery that this run waits for, by its key at the gate: "the answer of openai.chat (step 3)". */
export function waitedFor(key: string, tape: Tape): string {
  const [, kind = "", id = ""] = /^([a-z])-?\d+:(\d+)/.exec(key) ?? [];
  if (kind === "t") return "a timer";
  if (kind === "o") return "a file or other asynchronous operation";
  if (kind === "a") return "the result of an agent() call";
  if (kind === "" || kind === "f") return "an event from outside";
  const step = tape.steps.get(Number(id));
  const name = step === undefined ? "a call that is not recorded" : `${step.record.op} (step ${step.index + 1})`;
  return kind === "h"
    ? `the ${step?.record.call === undefined ? "answer" : "result"} of ${name}`
    : `the body of ${name}`;
}

/** The absence of a delivery in this run: "this run does not read it". */
export function neverAsked(event: Waypoint, tape: Tape): string {
  switch (event.k) {
    case "t":
      return "this run never sets it, or clears it first";
    case "o":
      return "this run never begins it";
    case "a":
      return "this run does not make it, or it does not end";
    case "c":
    case "e":
      return stepOf(event, tape)?.record.call === undefined
        ? "this run does not read that far"
        : "this run does not ask for it";
    default:
      return "this run does not wait for it";
  }
}

/** Where in the recorded run an event without a step stands. */
function after(event: Waypoint, tape: Tape): string {
  let last: number | null = null;
  for (const e of tape.journal) {
    if (e === event) break;
    if (e.k === "s" || e.k === "h" || e.k === "e") last = e.id;
  }
  const step = last === null ? undefined : tape.steps.get(last);
  return step === undefined ? "before the first step" : `after ${step.record.op} (step ${step.index + 1})`;
}
