import { afterEach, beforeEach, expect, test } from "vitest";
import { within } from "../../run/context.ts";
import { installClock } from "./clock.ts";
import { missedDraws, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";

const Native = Date;
let undo: () => void;
beforeEach(() => {
  undo = installClock();
});
afterEach(() => undo());

function readEveryClock(): unknown[] {
  const made = new Date();
  return [
    Date.now(),
    made.getTime(),
    Date(),
    performance.now(),
    performance.timeOrigin,
    process.hrtime(),
    process.hrtime([1, 999_999_999]),
    process.hrtime.bigint(),
    process.uptime(),
    new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" }).format(),
    new Intl.DateTimeFormat("en", { timeStyle: "long" }).formatToParts(),
  ];
}

test("a replay reads every clock as it was recorded", async () => {
  const recording = recordingRun();
  const seen = within(recording.frame, readEveryClock);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const replaying = replayingRun(recording.journal.cut().events);
  expect(within(replaying.frame, readEveryClock)).toEqual(seen);
  expect(missedDraws(replaying)).toBe(0);
});

test("outside a run nothing is drawn and the clock is the real one", () => {
  const before = Native.now();
  expect(Date.now()).toBeGreaterThanOrEqual(before);
  expect(new Date().getTime()).toBeGreaterThanOrEqual(before);
  expect(process.hrtime.bigint()).toBeTypeOf("bigint");
});

test("Date stays Date", () => {
  within(recordingRun().frame, () => {
    const made = new Date(5);
    expect(made).toBeInstanceOf(Native);
    expect(new Native(5)).toBeInstanceOf(Date);
    expect(made.constructor).toBe(Date);
    expect(Object.prototype.toString.call(new Date())).toBe("[object Date]");
    expect(structuredClone(made)).toEqual(made);
    expect([Date.name, Date.length, Date.now.name, Date.now.length]).toEqual(["Date", 7, "now", 0]);
    expect(Reflect.ownKeys(Date).map(String).toSorted()).toEqual(Reflect.ownKeys(Native).map(String).toSorted());
    expect(Date.UTC(2020, 0)).toBe(Native.UTC(2020, 0));
    expect(new Date(undefined as never).getTime()).toBeNaN();
    expect(new Date(2020, 1, 2, 3).getHours()).toBe(3);
    class Later extends Date {
      later(): number {
        return this.getTime() + 1;
      }
    }
    const later = new Later();
    expect(later).toBeInstanceOf(Later);
    expect(later).toBeInstanceOf(Date);
    expect(later.later()).toBeGreaterThan(1e12);
    expect(Reflect.construct(Date, [7], Later)).toBeInstanceOf(Later);
  });
});

test("bad arguments fail as they do in Node", () => {
  within(recordingRun().frame, () => {
    expect(() => process.hrtime(1 as never)).toThrow(TypeError);
    expect(() => process.hrtime([1] as never)).toThrow(RangeError);
    expect(() => Performance.prototype.now.call({} as never)).toThrow(TypeError);
  });
});

test("names, lengths and descriptors are Node's", () => {
  const patched = Object.getOwnPropertyDescriptors(Performance.prototype);
  expect([process.hrtime.name, process.hrtime.length, process.hrtime.bigint.name, process.uptime.name]).toEqual([
    "hrtime",
    1,
    "hrtimeBigInt",
    "uptime",
  ]);
  expect(patched.now.enumerable).toBe(true);
  const format = new Intl.DateTimeFormat("en");
  expect(format.format).toBe(format.format);
  expect(format.format.length).toBe(1);
});

test("installing twice patches once, and the undo restores everything", () => {
  const patched = Date;
  const second = installClock();
  expect(Date).toBe(patched);
  second();
  expect(Date).toBe(patched);
  undo();
  expect(Date).toBe(Native);
  expect(new Date().constructor).toBe(Native);
  expect(Object.hasOwn(process.hrtime, "bigint")).toBe(true);
  undo = installClock();
});
