import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { open } from "node:fs/promises";
import { parseJournal } from "@reenact/envelope";
import { live, within } from "../../run/context.ts";
import { originals } from "../../patch/originals.ts";
import { installForeign, watchesForeign } from "./native-wakeups.ts";
import { recordingRun } from "../fake-replay.test.fixture.ts";
import { installTimers } from "../timers/timers.ts";

let undo: (() => void)[];
beforeEach(() => {
  undo = [installTimers(), installForeign()];
});
afterEach(() => {
  for (const u of undo) u();
});

test.runIf(Number(process.versions.node.split(".")[0]) >= 24)(
  "a native resource that wakes the agent is journaled by type and number",
  async () => {
    const run = recordingRun();
    await within(run.frame, async () => {
      const handle = await open(import.meta.filename);
      await handle.read(Buffer.alloc(1), 0, 1, 0);
      await handle.close();
      const { port1, port2 } = new MessageChannel();
      port2.postMessage(1);
      port1.start();
      await once(port1, "message");
      port1.close();
    });
    const labels = parseJournal(run.journal.cut().events).flatMap((e) => (e.k === "f" ? [e.label] : []));
    expect(labels).toEqual(expect.arrayContaining(["FSREQPROMISE#1", "FSREQPROMISE#2", "MESSAGEPORT#1"]));
    expect(watchesForeign()).toBe(true);
  },
);

test("our own work, timers and promises wake nobody", async () => {
  const run = recordingRun();
  await within(run.frame, async () => {
    await live(async () => (await open(import.meta.filename)).close());
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => originals.setTimeout(resolve, 1));
    await new Promise((resolve) => process.nextTick(resolve));
    await (async () => null)();
  });
  expect(parseJournal(run.journal.cut().events).filter((e) => e.k === "f")).toEqual([]);
});
