import { UNREAD_TEXTS } from "@reenact/envelope";
import type { Waypoint } from "./journal-tape.ts";
import { bytesOf, recordedChunks } from "./recorded-chunks.ts";
import type { RecordedStep, Tape } from "./tape.ts";

/** More characters than such a mark has. */
const LONGEST_MARK = 32;

/**
 * Whether the answer of this step is not in the record: the process was killed before anything of it was written but that it began,
 * or before the answer that the agent got, or it could not be redacted.
 */
export function isPayloadLost(step: RecordedStep, { complete }: Pick<Tape, "complete">): boolean {
  const { call, exchange, order } = step.record;
  if (!complete && isUnread(step)) return true;
  if (complete || order.settle === undefined) return !complete && call === undefined && exchange === undefined;
  if (exchange !== undefined) return exchange.response === undefined && exchange.error === undefined;
  return call === undefined || (call.result === undefined && call.error === undefined);
}

/** Whether an incomplete record goes no further: it has no next event, or does not hold the value that came with that event. */
export function isCutOff(
  next: Waypoint | undefined,
  { complete, steps, root }: Pick<Tape, "complete" | "steps" | "root">,
): boolean {
  // a start-up goes on behind its record: with what serves no request
  if (next === undefined) return !complete || root.startUp === true;
  if (complete) return false;
  if (next.k !== "h" && next.k !== "c" && next.k !== "e") return false;
  const step = steps.get(next.id);
  return step === undefined || isUnread(step) || (step.record.order.settle === undefined && !hasValue(step, next));
}

/** What an answer says that an incomplete record holds: where it lacks something, the recorded run may have got it. */
export function openEnd({ complete }: Pick<Tape, "complete">): { open?: true } {
  return complete ? {} : { open: true };
}

/** Whether texts of its answer could not be redacted, and were not kept. */
function isUnread(step: RecordedStep): boolean {
  const { lossy, exchange, call } = step.record;
  if (lossy?.includes(UNREAD_TEXTS) !== true) return false;
  const body = exchange?.response?.body;
  if (body !== undefined) return /^UNSCANNED_\d+$/.test(bytesOf(step, body).toString("latin1", 0, LONGEST_MARK));
  return /^\["UNSCANNED_\d+"\]$/.test(call?.result ?? call?.error ?? "");
}

/** Whether the run may go on behind what the record holds: it is incomplete, or a start-up whose record is over. */
export function expectsNoEnd(
  { complete, root }: Pick<Tape, "complete" | "root">,
  gate: { left(): readonly unknown[] },
): boolean {
  return !complete || (root.startUp === true && gate.left().length === 0);
}

function hasValue(step: RecordedStep, event: Waypoint): boolean {
  const { call, exchange } = step.record;
  switch (event.k) {
    case "h":
      return exchange?.response !== undefined || call?.result !== undefined || call?.error !== undefined;
    case "c":
      return event.part < (call?.yields?.length ?? recordedChunks(step).length);
    default:
      return exchange !== undefined && exchange.end !== "open";
  }
}
