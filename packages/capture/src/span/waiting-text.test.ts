import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { JournalWriter } from "@reenact/envelope";
import { originals } from "../patch/originals.ts";
import type { Delivery } from "../source/gate.ts";
import { RecordGate } from "../source/record-gate.ts";
import { FinishQueue } from "./finish-queue.ts";
import type { Step } from "./step.ts";
import { addWaiting, isTextWaiting, removeWaiting } from "./waiting-text.ts";

const MB = 1024 * 1024;
const texts: object[] = [];

function wait(megabytes: number): object {
  const text = {};
  texts.push(text);
  addWaiting(text, megabytes * MB);
  return text;
}

afterEach(() => {
  for (const text of texts.splice(0)) removeWaiting(text);
});

function delivery(id: number, fire: (id: number) => void): Delivery {
  return { kind: "h", id, part: 0, scope: -1, dead: () => false, referenced: () => true, fire: () => fire(id) };
}

function gate(): { gate: RecordGate; journal: JournalWriter } {
  const journal = new JournalWriter();
  return { gate: new RecordGate(journal, (fn) => fn()), journal };
}

test("while more than 32 MB wait nothing is handed over, and then all of it in order", async () => {
  const { gate: recording, journal } = gate();
  await sleep(5);
  const fired: number[] = [];
  const [read, next] = [wait(20), wait(33)];
  for (const id of [0, 1, 2]) recording.offer(delivery(id, (each) => fired.push(each)));
  await sleep(40);
  expect(fired).toEqual([]);
  // the thread goes on to the next one, which is as long as all that may wait, and alone
  removeWaiting(read);
  await expect.poll(() => fired).toEqual([0, 1, 2]);
  expect(journal.cut().events.match(/"?h/g)).toHaveLength(3);
  removeWaiting(next);
});

test("one text is never too much, however long, and nor is what a run that has ended waits for", async () => {
  const { gate: recording } = gate();
  await sleep(5);
  const fired: number[] = [];
  wait(500);
  recording.offer(delivery(0, (each) => fired.push(each)));
  await expect.poll(() => fired).toEqual([0]);
  wait(40);
  recording.offer(delivery(1, (each) => fired.push(each)));
  await sleep(40);
  expect(fired).toEqual([0]);
  recording.close();
  await expect.poll(() => fired).toEqual([0, 1]);
});

test("a program that never waits has what does not fit read on its thread, and no more waits", () => {
  const written: number[] = [];
  const queue = new FinishQueue({
    finish: ({ index }) => written.push(index) > 0,
    prepare: () => new Promise(() => {}),
  });
  const step = (index: number): Step =>
    ({ index, exchange: null, call: { args: { length: 10 * MB }, result: null, error: null, yields: null } }) as never;
  for (let index = 0; index < 20; index++) queue.add(step(index));
  expect(written).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
  queue.flush();
  expect(written).toHaveLength(20);
  for (let index = 20; index < 32; index++) queue.add(step(index));
  expect(written).toHaveLength(20);
  queue.flush();
});

test("patience ends ten seconds after the thread last answered, whatever is finished without it", () => {
  let now = 0;
  const clock = vi.spyOn(originals, "performanceNow").mockImplementation(() => now);
  wait(20);
  wait(33);
  expect(isTextWaiting()).toBe(true);
  now = 9_000;
  removeWaiting({});
  expect(isTextWaiting()).toBe(true);
  now = 10_001;
  expect(isTextWaiting()).toBe(false);
  clock.mockRestore();
});
