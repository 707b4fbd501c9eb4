import { once } from "node:events";
import fs from "node:fs";
import workers, { type Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseJournal } from "@reenact/envelope";
import { here, within } from "../../run/context.ts";
import { left, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { installMessageChannels } from "./message-channels.ts";
import { installOrderedOperations } from "../operations/ordered-operations.ts";
import { installWorkers } from "./workers.ts";

const ECHO = `
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.on("message", ({ text, port }) => {
    for (const until = performance.now() + Math.random() * 8; performance.now() < until; );
    if (text === "fail") throw new Error("failed in " + workerData);
    if (text === "end") return parentPort.close();
    (port ?? parentPort).postMessage(text + workerData);
  });`;

let undo: (() => void)[];
beforeEach(() => {
  undo = [installOrderedOperations(), installMessageChannels(), installWorkers()];
});
afterEach(() => {
  for (const u of undo.reverse()) u();
});

const start = (workerData: unknown): Worker => new workers.Worker(ECHO, { eval: true, workerData });

/** Answers of threads beside files that are read: which comes first is chance. */
async function program(): Promise<string[]> {
  const said: string[] = [];
  const threads = [0, 1, 2].map((n) => {
    const worker = start(n);
    for (const event of ["online", "message", "exit"])
      worker.on(event, (what: unknown = "") => said.push(`${n} ${event} ${String(what)}`));
    worker.on("error", (error) => said.push(`${n} ${error.message}`));
    return worker;
  });
  const { port1, port2 } = new workers.MessageChannel();
  threads[0]?.postMessage({ text: "by port ", port: port2 }, [port2]);
  port1.on("message", (text: string) => said.push(text));
  for (const worker of threads) for (const text of ["a", "b", "c"]) worker.postMessage({ text }, []);
  const files = Array.from({ length: 10 }, async (_, n) => {
    await fs.promises.stat(import.meta.filename);
    said.push(`file ${n}`);
  });
  await Promise.all([...files, ...threads.map((worker) => untilSaid(worker, "c"))]);
  threads[1]?.postMessage({ text: "fail" });
  threads[2]?.postMessage({ text: "end" });
  await Promise.all(threads.slice(1).map((worker) => new Promise((ended) => worker.once("exit", ended))));
  said.push(`terminated: ${await threads[0]?.terminate()}`);
  port1.close();
  return said;
}

async function untilSaid(worker: Worker, begin: string): Promise<void> {
  for (let text = ""; !text.startsWith(begin);) [text] = (await once(worker, "message")) as [string];
}

test("what threads say comes in the recorded order", { timeout: 30_000 }, async () => {
  const recording = recordingRun();
  const recorded = await within(recording.frame, program);
  expect(recorded).toEqual(expect.arrayContaining(["1 failed in 1", "1 exit 1", "2 exit 0", "0 exit 1", "by port 0"]));
  const journal = recording.journal.cut().events;
  // ten files; of each thread its start, three answers, its end; an error, a message by a port
  expect(parseJournal(journal).filter(({ k }) => k === "o")).toHaveLength(10 + 3 * 5 + 2);
  for (let n = 0; n < 3; n++) {
    const replay = replayingRun(journal);
    expect(await within(replay.frame, program)).toEqual(recorded);
    expect(left(replay)).toEqual([]);
  }
});

test("a thread of a run is Node's to the agent, and what it hears is in the run", { timeout: 30_000 }, async () => {
  const run = recordingRun();
  await within(run.frame, async () => {
    const worker = start(7);
    expect(worker).toBeInstanceOf(workers.Worker);
    expect(Object.keys(worker)).not.toContain("emit");
    const heard: unknown[] = [];
    worker.on("message", (text: string) => heard.push(text, here()?.run === run));
    worker.emit("message", "by hand");
    expect(heard).toEqual(["by hand", true]);
    worker.postMessage({ text: "by thread " }, []);
    await once(worker, "message");
    expect(heard).toEqual(["by hand", true, "by thread 7", true]);
    worker.removeAllListeners("message");
    expect(worker.listenerCount("message")).toBe(0);
    expect(() => worker.postMessage(() => {}, [])).toThrow("could not be cloned");
    expect(await worker.terminate()).toBe(1);
    expect(run.leaks.list()).toMatchObject([{ kind: "worker", count: 1 }]);
  });
  const outside = start(8);
  expect(Object.hasOwn(outside, "emit")).toBe(false);
  await outside.terminate();
  expect(() => new workers.Worker("relative.js")).toThrow(TypeError);
});
