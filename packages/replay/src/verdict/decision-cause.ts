import { isDeepStrictEqual } from "node:util";
import { decodeValue } from "@reenact/envelope";
import { type Blame, placeOf } from "../match/blame.ts";
import { isDecision, type RecordedStep, type Tape } from "../tape/tape.ts";

/** The argument of a recorded decision, SPEC.md §3. */
interface Decided {
  readonly arguments?: unknown;
  readonly approved?: boolean;
  readonly asked?: unknown;
}

/** In words: a decision that is not the recorded one, or a call that was approved with other arguments; null: neither. */
export function decisionCause(tape: Tape, step: RecordedStep, difference: Blame | null): string | null {
  if (difference === null || step.record.call === undefined) return null;
  const number = step.index + 1;
  const where = placeOf(difference);
  if (!isDecision(step.record)) {
    const decision = decisionOn(tape, step);
    if (decision === null) return null;
    const did = decidedIn(decision)?.approved === true ? "approved" : "was asked about";
    return `arguments of tool:${step.name} (step ${number}) differ at ${where}: they are not those that a person ${did} in step ${decision.index + 1}`;
  }
  const decided = decidedIn(step);
  if (decided?.approved === undefined)
    return `the decision of step ${number} (${step.name}) is not the recorded one at ${where}`;
  const name = nameOf(step);
  if (difference.pointer === "/0/approved")
    return decided.approved
      ? `the call of ${name} that a person approved (step ${number}) is rejected now`
      : `the call of ${name} that a person rejected (step ${number}) is approved now`;
  const did = decided.approved ? "approved" : "rejected";
  if (difference.pointer === "/0/reason" || difference.pointer === "/0/always")
    return `the call of ${name} is ${did} otherwise than in step ${number}: at ${where}`;
  return `the call of ${name} is not the one that a person ${did} in step ${number}: it differs at ${where}`;
}

/** The newest decision before a call of a tool that was about just its recorded arguments, and was no rejection. */
function decisionOn(tape: Tape, { index, record, name }: RecordedStep): RecordedStep | null {
  if (!record.op.startsWith("tool:")) return null;
  const given = argumentOf(record.call?.args);
  const decisions = tape.ordered.filter((step) => {
    if (step.index >= index || !isDecision(step.record)) return false;
    const decided = decidedIn(step);
    return decided?.approved === undefined
      ? holdsCall(decided?.asked, name, given)
      : decided.approved && nameOf(step) === name && isDeepStrictEqual(decided.arguments, given);
  });
  return decisions.at(-1) ?? null;
}

/** Whether a question that a program put together itself has an object with the name of a tool and these arguments. */
function holdsCall(asked: unknown, tool: string, args: unknown, depth = 0): boolean {
  if (typeof asked !== "object" || asked === null || depth > 8) return false;
  const values: unknown[] = Object.values(asked);
  if (values.includes(tool) && values.some((value) => isDeepStrictEqual(value, args))) return true;
  return values.some((value) => holdsCall(value, tool, args, depth + 1));
}

const nameOf = ({ record }: RecordedStep): string => record.op.slice("decision:".length);

function decidedIn({ record }: RecordedStep): Decided | null {
  const decided = argumentOf(record.call?.args);
  return typeof decided === "object" && decided !== null ? decided : null;
}

function argumentOf(args: unknown): unknown {
  if (typeof args !== "string") return undefined;
  const decoded = decodeValue(args);
  return Array.isArray(decoded) ? decoded[0] : undefined;
}
