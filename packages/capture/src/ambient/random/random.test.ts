import crypto from "node:crypto";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { within } from "../../run/context.ts";
import type { Run } from "../../run/run.ts";
import { left, missedDraws, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { installRandom } from "./random.ts";

let undo: () => void;
beforeEach(() => {
  undo = installRandom();
});
afterEach(() => undo());

async function drawEverything(): Promise<unknown[]> {
  const words = new Uint16Array(4);
  const part = crypto.randomFillSync(new Uint16Array(6), 1, 2);
  return [
    Math.random(),
    crypto.randomUUID(),
    globalThis.crypto.randomUUID(),
    crypto.randomBytes(9).toString("hex"),
    crypto.randomInt(1000),
    crypto.randomInt(10, 20),
    [...globalThis.crypto.getRandomValues(words)],
    [...crypto.getRandomValues(new Uint8Array(3))],
    [...part],
    await promisify(crypto.randomBytes)(5),
    await new Promise((resolve) => crypto.randomInt(5, 500, (_, n) => resolve(n))),
    await new Promise((resolve) => crypto.randomFill(new Uint8Array(8), 2, 3, (_, b) => resolve([...b]))),
    await new Promise((resolve) => crypto.randomFill(new Uint8Array(8), (_, b) => resolve([...b]))),
  ];
}

const inside = (run: Run): Promise<unknown[]> => within(run.frame, drawEverything);

test("a replay draws what was recorded, also through callbacks", async () => {
  const recording = recordingRun();
  const seen = await inside(recording);
  const replaying = replayingRun(recording.journal.cut().events);
  expect(await inside(replaying)).toEqual(seen);
  expect(missedDraws(replaying)).toBe(0);
  expect(left(replaying)).toEqual([]);
});

test("only the asked region of a buffer is filled", () => {
  within(recordingRun().frame, () => {
    const filled = crypto.randomFillSync(new Uint32Array(8), 2, 3);
    expect([...filled.subarray(0, 2), ...filled.subarray(5)]).toEqual([0, 0, 0, 0, 0]);
  });
});

test("random bytes own their memory", () => {
  within(recordingRun().frame, () => {
    const bytes = crypto.randomBytes(10);
    expect(bytes.buffer.byteLength).toBe(10);
    expect(crypto.randomBytes(0)).toHaveLength(0);
  });
});

test("bad arguments throw as in Node and draw nothing", () => {
  const run = recordingRun();
  within(run.frame, () => {
    expect(() => crypto.randomBytes(-1)).toThrow(RangeError);
    expect(() => crypto.randomBytes(4, "no" as never)).toThrow(TypeError);
    expect(() => crypto.randomInt(5, 5)).toThrow(RangeError);
    expect(() => crypto.randomUUID(1 as never)).toThrow(TypeError);
    expect(() => globalThis.crypto.getRandomValues(new Float32Array(1) as never)).toThrow(DOMException);
    expect(() => crypto.randomFill("x" as never, () => {})).toThrow(TypeError);
    expect(() => crypto.randomFill(Buffer.alloc(1), 0, 1, undefined as never)).toThrow(TypeError);
  });
  expect(run.journal.cut().events).toBe("");
});
