import { expect, test } from "vitest";
import { stepsOfRoot } from "./root-steps.ts";

const stepsOf = (text: string) => stepsOfRoot(Buffer.from(`##${text}##`), 2, Buffer.byteLength(text));

test.each([
  [{ v: 1, lanes: {}, steps: 3, name: "ä" }, 3],
  [{ v: 1, lanes: {}, steps: 0, died: false }, 0],
  [{ v: 1, lanes: {} }, null],
  [{ v: 1, steps: 3 }, null],
  [{ v: 1, lanes: {}, steps: 3, died: true }, null],
  [{ v: 2, lanes: {}, steps: 3 }, null],
  [{ v: 1, lanes: null, steps: 3 }, null],
  [{ v: 1, lanes: {}, steps: -1 }, null],
  [{ v: 1, lanes: {}, steps: 1.5 }, null],
  [{ v: 1, lanes: {}, steps: "3" }, null],
  [null, null],
  [7, null],
])("%j has %j steps", (facts, steps) => expect(stepsOf(JSON.stringify(facts))).toBe(steps));

test("what is no JSON has none", () => expect(stepsOf("{")).toBeNull());
