import crypto from "node:crypto";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { environmentReads, environmentIsFull } from "../ambient/environment.ts";
import { here, within } from "./context.ts";
import { flag, identify } from "../api/flag.ts";
import { install } from "../install.ts";
import { openStep } from "../span/open-step.ts";
import { Run } from "./run.ts";

const server = createServer((_, response) => void response.end(Buffer.alloc(512 * 1024)));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const installed = install({ name: "test", processRun: false });
afterAll(() => {
  installed.undo();
  server.close();
});

const unborn = (): Run => new Run({ trigger: "process", name: "test", sequence: 0 });

/** What a run would have to keep of each; none may be kept without bound. */
const INPUTS: Record<string, () => unknown> = {
  random: () => Math.random(),
  now: () => Date.now(),
  performance: () => performance.now(),
  hrtime: () => process.hrtime.bigint(),
  uuid: () => crypto.randomUUID(),
  bytes: () => crypto.randomBytes(1024),
  integer: () => crypto.randomInt(10),
  "timers that are cleared": () => clearTimeout(setTimeout(() => {}, 1000)),
  immediates: () => clearImmediate(setImmediate(() => {})),
  "file operations": () => fs.stat("/", () => {}),
};

test.for(Object.keys(INPUTS))("%s before an agentic step: kept up to a bound, and not taken any more", (name) => {
  const run = unborn();
  let calls = 0;
  within(run.frame, () => {
    for (; calls < 100_000 && here() !== null; calls++) INPUTS[name]?.();
    expect(here()).toBeNull();
  });
  expect(calls).toBeGreaterThan(500);
  expect(calls).toBeLessThan(70_000);
  expect(run.resting).toBe(true);
  expect(run.journal.cut().events.length).toBe(0);
  const position = run.journal.position;
  within(run.frame, () => INPUTS[name]?.());
  expect(run.journal.position).toBe(position);
});

test("bodies before an agentic step: kept up to a bound, then fetched past the recorder", async () => {
  const run = unborn();
  let calls = 0;
  for (; calls < 40 && !run.resting; calls++)
    await within(run.frame, async () => (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer());
  expect(calls).toBeGreaterThanOrEqual(16);
  expect(calls).toBeLessThan(20);
  const { steps } = run;
  const body = await within(run.frame, async () => (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer());
  expect(body.byteLength).toBe(512 * 1024);
  expect(run.steps).toBe(steps);
});

test("an agentic step begins the record of such a run anew, and the run says what it lacks", async () => {
  const run = unborn();
  within(run.frame, () => {
    while (here() !== null) Math.random();
  });
  within(run.frame, () =>
    openStep(run.frame, { kind: "LLM", name: "chat", op: "chat", path: "", agentic: true, content: null }),
  );
  within(run.frame, () => Math.random());
  expect(run.lossy).toEqual([
    "prelude: recorded from step 1 on: the program had more than 1 MiB of events and values (clock, random, timers, operations) before its first agentic step",
  ]);
  const { from, events } = run.journal.cut();
  expect(from).toBeGreaterThan(0);
  expect(events).toMatch(/^sR\w+;$/);
  await turn();
});

test("values are bounded after the first agentic step too", () => {
  const run = unborn();
  run.activate();
  let calls = 0;
  within(run.frame, () => {
    for (; calls < 200 && here() !== null; calls++) crypto.randomBytes(1024 * 1024);
  });
  expect(calls).toBeLessThan(50);
  expect(run.journal.cut().events.length).toBeLessThan(66 * 1024 * 1024);
  expect(run.lossy).toEqual(["journal: cap of 64 MiB of events and values reached"]);
});

test("flags, tags and names of variables are kept up to a number", () => {
  const run = unborn();
  within(run.frame, () => {
    for (let i = 0; i < 5000; i++) {
      flag(`flag ${i}`);
      identify({ tags: [`tag ${i}`] });
      void process.env[`CAPTURE_TEST_${i}`];
    }
  });
  expect([run.metadata.flags.length, run.metadata.tags.size]).toEqual([1000, 1000]);
  expect(environmentReads().size).toBe(4096);
  expect(environmentIsFull()).toBe(true);
});
