import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs";
import workers, { type MessagePort as Port } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseJournal } from "@reenact/envelope";
import { within } from "../../run/context.ts";
import { left, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { installMessageChannels } from "./message-channels.ts";
import { installOrderedOperations } from "../operations/ordered-operations.ts";

let undo: (() => void)[];
beforeEach(() => {
  undo = [installOrderedOperations(), installMessageChannels()];
});
afterEach(() => {
  for (const u of undo.reverse()) u();
});

/** Messages of three channels beside files that are read: which comes first is chance. */
async function program(): Promise<string[]> {
  const said: string[] = [];
  const own = new AsyncLocalStorage<string>();
  const channels = Array.from({ length: 3 }, (_, n) =>
    own.run(`of ${n}`, async () => {
      const { port1, port2 } = new workers.MessageChannel();
      const answered = new Promise<void>((resolve) => {
        port1.addEventListener("message", (event) => {
          const { data } = event as unknown as { data: string };
          said.push(`${data} ${own.getStore()}`);
          if (data.endsWith("2")) resolve();
        });
        port1.start();
      });
      port2.on("message", (text: string) => port2.postMessage(`${n} ${text}`));
      for (let i = 0; i < 3; i++) port1.postMessage(String(i));
      await answered;
      port1.close();
    }),
  );
  const files = Array.from({ length: 20 }, async (_, n) => {
    await fs.promises.stat(import.meta.filename);
    said.push(`file ${n}`);
  });
  await Promise.all([...channels, ...files]);
  return said;
}

test("messages between the ends of a channel come in the recorded order", async () => {
  const recording = recordingRun();
  const recorded = await within(recording.frame, program);
  expect(recorded).toContain("1 2 of 1");
  const journal = recording.journal.cut().events;
  // three messages there and three back on each channel
  expect(parseJournal(journal).filter(({ k }) => k === "o")).toHaveLength(20 + 3 * 6);
  for (let n = 0; n < 5; n++) {
    const replay = replayingRun(journal);
    expect(await within(replay.frame, program)).toEqual(recorded);
    expect(left(replay)).toEqual([]);
  }
});

test("ports that are handed on, messages that are fetched, and errors are Node's", async () => {
  await within(recordingRun().frame, async () => {
    const { port1, port2 } = new workers.MessageChannel();
    const inner = new workers.MessageChannel();
    expect([port1 instanceof MessagePort, new MessageChannel() instanceof workers.MessageChannel]).toEqual([
      true,
      true,
    ]);
    expect([inner instanceof MessageChannel, inner instanceof workers.MessageChannel]).toEqual([true, true]);
    port1.postMessage("fetched");
    expect(workers.receiveMessageOnPort(port2)).toEqual({ message: "fetched" });
    expect(workers.receiveMessageOnPort(port2)).toBe(undefined);
    expect(() => port1.postMessage(() => {})).toThrow("could not be cloned");
    const heard = new Promise<{ data: unknown; ports: Port[] }>((resolve) => {
      port2.addEventListener("message", resolve as never);
      port2.start();
    });
    port1.postMessage("with a port", [inner.port2]);
    const { data, ports } = await heard;
    expect([data, ports.length, ports[0] instanceof MessagePort]).toEqual(["with a port", 1, true]);
    const later = new Promise((resolve) => ports[0]?.once("message", resolve));
    inner.port1.postMessage("from outside");
    expect(await later).toBe("from outside");
    for (const port of [port1, inner.port1]) port.close();
  });
});
