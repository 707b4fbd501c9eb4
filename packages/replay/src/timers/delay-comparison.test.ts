import { expect, test } from "vitest";
import { DelayComparison } from "./delay-comparison.ts";
import type { RecordedDelay } from "./delay-pairs.ts";

const recorded = (...list: [interval: number, ms: number][]): RecordedDelay[] =>
  list.map(([interval, ms]) => ({ interval, ms, scope: -1, after: null }));

/** What differs between recorded delays and those of this run, as "recorded>now". */
function compared(
  before: [number, number][],
  now: [number, number][],
  more: { hasWakeUps?: boolean; sectionOf?: (interval: number) => number } = {},
): string[] {
  const comparison = new DelayComparison(recorded(...before), {
    hasWakeUps: false,
    isRecorded: true,
    sectionOf: (interval) => interval,
    ...more,
  });
  for (const [interval, ms] of now) comparison.asked(ms, { interval, scope: -1, expected: null }, "setTimeout");
  return comparison.differences().map((d) => `${d.recorded?.ms ?? "-"}>${d.now?.ms ?? "-"}`);
}

const at = (interval: number, ...delays: number[]): [number, number][] => delays.map((ms) => [interval, ms]);

test("equal delays in equal intervals differ in nothing", () => {
  const same: [number, number][] = [
    [0, 10],
    [0, 10],
    [3, 20],
  ];
  expect(compared(same, same)).toEqual([]);
});

test.each<{ name: string; before: [number, number][]; now: [number, number][]; found: string[] }>([
  { name: "changed", before: [[0, 10]], now: [[0, 20]], found: ["10>20"] },
  {
    name: "inserted before others",
    before: [
      [1, 10],
      [1, 20],
    ],
    now: [
      [1, 5],
      [1, 10],
      [1, 20],
    ],
    found: ["->5"],
  },
  {
    name: "changed between others",
    before: [
      [1, 1],
      [1, 2],
      [1, 3],
    ],
    now: [
      [1, 1],
      [1, 9],
      [1, 3],
    ],
    found: ["2>9"],
  },
  {
    name: "removed",
    before: [
      [1, 1],
      [1, 2],
      [1, 3],
    ],
    now: [
      [1, 1],
      [1, 3],
    ],
    found: ["2>-"],
  },
  { name: "added where there were none", before: [], now: [[4, 7]], found: ["->7"] },
  { name: "changed to the one behind it", before: at(1, 20, 50), now: at(1, 50, 50), found: ["20>50"] },
  { name: "changed to the one before it", before: at(1, 20, 50), now: at(1, 20, 20), found: ["50>20"] },
  { name: "the first of three changed to the last", before: at(1, 5, 7, 9), now: at(1, 9, 7, 9), found: ["5>9"] },
  { name: "moved behind others", before: at(1, 5, 7, 9), now: at(1, 7, 9, 5), found: ["5>-", "->5"] },
  { name: "in another interval", before: [[1, 5]], now: [[2, 5]], found: ["5>-", "->5"] },
])("$name", ({ before, now, found }) => {
  expect(compared(before, now)).toEqual(found);
});

test("with native wake-ups the interval does not count, but the order does", () => {
  expect(
    compared(
      [
        [1, 5],
        [2, 6],
      ],
      [
        [2, 5],
        [2, 6],
      ],
      { hasWakeUps: true },
    ),
  ).toEqual([]);
  expect(
    compared(
      [
        [1, 5],
        [2, 6],
      ],
      [
        [1, 6],
        [2, 5],
      ],
      { hasWakeUps: true },
    ),
  ).toHaveLength(2);
});

test("a record without delays has nothing to compare", () => {
  const comparison = new DelayComparison([], {
    hasWakeUps: false,
    isRecorded: false,
    sectionOf: (interval) => interval,
  });
  comparison.asked(5, { interval: 0, scope: -1, expected: null }, "setTimeout");
  expect(comparison.differences()).toEqual([]);
});

test("very many different delays are still compared", () => {
  const many = (ms: number): [number, number][] => Array.from({ length: 20_000 }, () => [0, ms]);
  expect(compared(many(1), many(2)).length).toBeGreaterThan(0);
});

/** The timers of this run that stand for the recorded ones. */
function timers(before: [number, number][], now: [number, number][]): (number | null)[] {
  const comparison = new DelayComparison(recorded(...before), {
    hasWakeUps: false,
    isRecorded: true,
    sectionOf: (interval) => interval,
  });
  for (const [timer, [interval, ms]] of now.entries())
    comparison.asked(ms, { interval, scope: -1, expected: null, timer }, "setTimeout");
  return before.map((_, id) => comparison.timerOf(-1, id));
}

test.each<{ name: string; before: [number, number][]; now: [number, number][]; own: (number | null)[] }>([
  { name: "the same", before: at(0, 20, 10), now: at(0, 20, 10), own: [0, 1] },
  { name: "the first less", before: at(0, 20, 15, 10), now: at(0, 15, 10), own: [null, 0, 1] },
  { name: "one more in the middle", before: at(0, 20, 10), now: at(0, 20, 15, 10), own: [0, 2] },
  { name: "the delay of the next one", before: at(0, 20, 10), now: at(0, 10, 10), own: [0, 1] },
  {
    name: "the delay of one behind an answer",
    before: [...at(0, 20), ...at(2, 4)],
    now: [...at(0, 4), ...at(2, 4)],
    own: [0, 1],
  },
  { name: "another delay", before: at(0, 20, 10), now: at(0, 50, 10), own: [0, 1] },
  {
    name: "one less, and others behind an answer",
    before: [...at(0, 20, 15), ...at(2, 4, 4)],
    now: [...at(0, 15), ...at(2, 4, 4)],
    own: [null, 0, 1, 2],
  },
  {
    name: "the last less, and others behind an answer",
    before: [...at(0, 20, 15), ...at(2, 4, 4)],
    now: [...at(0, 20), ...at(2, 4, 4)],
    own: [0, null, 1, 2],
  },
  {
    name: "none in a whole interval",
    before: [...at(0, 20), ...at(1, 7), ...at(2, 4)],
    now: [...at(0, 20), ...at(2, 4)],
    own: [0, null, 1],
  },
  {
    name: "one more before an answer",
    before: [...at(0, 20), ...at(2, 4)],
    now: [...at(0, 20, 9), ...at(2, 4)],
    own: [0, 2],
  },
  {
    name: "one that is removed behind an answer",
    before: [...at(0, 20), ...at(2, 4, 6)],
    now: [...at(0, 20), ...at(2, 6)],
    own: [0, null, 1],
  },
])("timers are paired by their delays: $name", ({ before, now, own }) => {
  expect(timers(before, now)).toEqual(own);
});

test("sections that only operations divide are compared as one", () => {
  const sectionOf = (interval: number): number => (interval < 2 ? 0 : interval);
  expect(compared([[1, 10]], [[0, 10]], { sectionOf })).toEqual([]);
  expect(compared([[2, 10]], [[0, 10]], { sectionOf })).not.toEqual([]);
});
