import { afterEach, expect, test } from "vitest";
import { within } from "../../run/context.ts";
import { recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { replaceMarks } from "./performance-marks.ts";
import { undoAll } from "../../patch/replace-method.ts";

const owner = Object.getPrototypeOf(performance) as Performance;
let undo: () => void = () => {};
afterEach(() => {
  undo();
  performance.clearMarks();
  performance.clearMeasures();
});

const MEASURES: unknown[][] = [
  ...[undefined, {}, { detail: 1 }, { duration: 5 }, { start: 2 }, { start: 3, duration: 5 }, { end: 9 }].map((o) => [
    o,
  ]),
  ...[{ duration: 3, end: 9 }, { start: "a", bad: 1 }, { start: "none" }, "a", "none", null, 5].map((o) => [o]),
  ["a", "b"],
  [undefined, "b"],
];
const MARKS: unknown[] = [undefined, {}, { detail: 2 }, { startTime: 7 }, { startTime: -1 }, null, 5, "text"];

/** What every form of the two gives, but for the time itself. */
function forms(): unknown[] {
  performance.mark("a", { startTime: 1 });
  performance.mark("b", { startTime: 4 });
  const told = (make: () => PerformanceEntry): unknown => {
    try {
      const { name, entryType, startTime, duration, detail } = make() as PerformanceMark;
      return [name, entryType, startTime < 10 ? startTime : "now", duration < 10 ? duration : "till now", detail];
    } catch (error) {
      return [(error as Error).name, (error as Error).message];
    }
  };
  return [
    ...MEASURES.map((args) => told(() => performance.measure("m", ...(args as [string])))),
    ...MARKS.map((options) => told(() => performance.mark("n", options as object))),
    told(() => performance.measure("m")),
    told(() => performance.mark("n")),
  ];
}

test("marks and measures are Node's, whatever they are given", () => {
  const plain = forms();
  undo = undoAll(replaceMarks(owner));
  expect(within(recordingRun().frame, forms)).toEqual(plain);
});

test("their times are the recorded ones in a replay", () => {
  undo = undoAll(replaceMarks(owner));
  const times = (): number[] => [performance.mark("x").startTime, performance.measure("y").duration];
  const recording = recordingRun();
  const recorded = within(recording.frame, times);
  expect(within(replayingRun(recording.journal.cut().events).frame, times)).toEqual(recorded);
});
