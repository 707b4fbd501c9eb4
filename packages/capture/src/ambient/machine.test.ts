import crypto from "node:crypto";
import os from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { within } from "../run/context.ts";
import { left, recordingRun, replayingRun } from "./fake-replay.test.fixture.ts";
import { installMachine } from "./machine.ts";
import { installRandom } from "./random/random.ts";

let undo: (() => void)[];
beforeEach(() => {
  undo = [installRandom(), installMachine()];
});
afterEach(() => undo.forEach((each) => each()));

const numbers = (): number[] => [crypto.randomInt(1_000_000), crypto.randomInt(1_000_000)];

test("a replay sees the recorded measures", () => {
  const recording = recordingRun();
  const measures = (): unknown => [process.memoryUsage(), process.cpuUsage(), os.loadavg(), os.freemem()];
  const seen = within(recording.frame, measures);
  const replaying = replayingRun(recording.journal.cut().events);
  expect(within(replaying.frame, measures)).toEqual(seen);
  expect(left(replaying)).toEqual([]);
});

test("random integers are the recorded ones where one side measures more", () => {
  const recording = recordingRun();
  const seen = within(recording.frame, () => {
    process.memoryUsage();
    return numbers();
  });
  const replaying = replayingRun(recording.journal.cut().events);
  expect(within(replaying.frame, numbers)).toEqual(seen);
});
