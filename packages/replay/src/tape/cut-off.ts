import type { Waypoint } from "./journal-tape.ts";
import type { RecordedStep, Tape } from "./tape.ts";

/** Whether the agent was given an answer of this step that a process which died did not live to write. */
export function isPayloadLost({ record }: RecordedStep, { complete }: Pick<Tape, "complete">): boolean {
  if (complete || record.order.settle === undefined) return false;
  const { call, exchange } = record;
  if (exchange !== undefined) return exchange.response === undefined && exchange.error === undefined;
  return call === undefined || (call.result === undefined && call.error === undefined);
}

/**
 * Whether the record of a process that died has nothing here: no event more, or a part of an answer that went on when it died,
 * of which no more was written.
 */
export function isCutOff(next: Waypoint | undefined, { complete, steps }: Pick<Tape, "complete" | "steps">): boolean {
  if (complete || next === undefined) return !complete;
  if (next.k !== "h" && next.k !== "c" && next.k !== "e") return false;
  const record = steps.get(next.id)?.record;
  return record?.order.settle === undefined && (record?.exchange === undefined || record.exchange.end === "open");
}
