import { expect, test } from "vitest";
import { hasRange, withoutRange, withRange } from "./time-range.ts";

const [from, to] = [Date.UTC(2026, 10, 28, 9, 30), Date.UTC(2026, 10, 28, 10)];

test("a range takes the place of other conditions on the start, and of nothing else", () => {
  const range = "started>=2026-11-28T09:30:00Z started<2026-11-28T10:00:00Z";
  expect(withRange("", from, to)).toBe(range);
  expect(withRange("started>-2h status:failed", from, to)).toBe(`status:failed ${range}`);
  expect(withRange(`agent:desk ${range} tool:search`, from, to)).toBe(`agent:desk tool:search ${range}`);
  expect(withoutRange(`agent:desk ${range}`)).toBe("agent:desk");
  expect([hasRange(range), hasRange("agent:desk"), hasRange("")]).toEqual([true, false, false]);
});
