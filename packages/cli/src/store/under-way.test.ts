import { expect, test } from "vitest";
import { isUnderWay } from "./under-way.ts";

const run = (started: number, ended: number | null) => ({
  started: `${started}000000`,
  ended: ended === null ? null : `${ended}000000`,
});

test.each<[string, ReturnType<typeof run>, number, number, boolean]>([
  ["before it", run(100, 200), 50, 99, false],
  ["at its start", run(100, 200), 50, 100, true],
  ["at its end", run(100, 200), 200, 300, true],
  ["behind it", run(100, 200), 201, 300, false],
  ["one that has not ended", run(100, null), 900, 901, true],
  ["at the start of one that a clock ended before it", run(100, 20), 100, 100, true],
  ["at the end of one that a clock ended before it", run(100, 20), 20, 20, false],
])("%s", (_, manifest, from, to, expected) => {
  expect(isUnderWay(manifest, { from, to })).toBe(expected);
});
