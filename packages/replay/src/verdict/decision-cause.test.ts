import { encodeValue, type StepRecord } from "@reenact/envelope";
import { expect, test } from "vitest";
import type { RecordedStep, Tape } from "../tape/tape.ts";
import { decisionCause } from "./decision-cause.ts";

const step = (index: number, op: string, args: unknown): RecordedStep =>
  ({
    index,
    name: op.slice(op.indexOf(":") + 1),
    record: { op, call: { args: encodeValue([args]).text } } as unknown as StepRecord,
  }) as RecordedStep;
const cents = { pointer: "/0/cents", recorded: 4200, now: 9900 };
const paid = { order: "A-77", cents: 4200 };

test.each([
  {
    decided: { arguments: paid, approved: true },
    cause: "arguments of tool:refund (step 2) differ at /0/cents: they are not those that a person approved in step 1",
  },
  { decided: { arguments: paid, approved: false }, cause: null },
  { decided: { arguments: { ...paid, cents: 1 }, approved: true }, cause: null },
])("the cause of a changed tool names the approval of its recorded arguments: $decided", ({ decided, cause }) => {
  const call = step(1, "tool:refund", paid);
  const tape = { ordered: [step(0, "decision:refund", decided), call] } as unknown as Tape;
  expect(decisionCause(tape, call, cents)).toBe(cause);
});
