import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

const WAIT = `const fs = await import("node:fs");`;

const ENDLESS = pathToFileURL(join(import.meta.dirname, "../programs/thread-endless.mjs")).href;
const THREAD = `const { Worker } = await import("node:worker_threads"); await call("a"); const w = new Worker(new URL(${JSON.stringify(ENDLESS)})); await new Promise((r) => w.once("online", r));`;

const cases: { name: string; before: string; after: string; keeps: RegExp }[] = [
  {
    name: "a server that is not closed",
    before: `${WAIT} await call("a"); const s = http.createServer(() => {}); await new Promise((r) => s.listen(0, "127.0.0.1", r)); s.close();`,
    after: `${WAIT} await call("a"); const s = http.createServer(() => {}); await new Promise((r) => s.listen(0, "127.0.0.1", r));`,
    keeps: /a server that listens on port \d+ keeps it alive/,
  },
  {
    name: "a watcher of files that is told of no change",
    before: `${WAIT} await call("a"); const w = fs.watch("."); await sleep(20); w.close();`,
    after: `${WAIT} await call("a"); const w = fs.watch(".");`,
    keeps: /a watcher of files keeps it alive/,
  },
  {
    name: "a thread that computes",
    before: `${THREAD} await w.terminate();`,
    after: THREAD,
    keeps: /thread thread-endless\.mjs keeps it alive/,
  },
];

test.each(cases)("a replay that waits for ever ends, and says for what: $name", async ({ before, after, keeps }) => {
  const { report } = await edited(before, after);
  expect(report.verdict).toBe("diverged");
  expect(report.stopped).toMatchObject({ reason: "no-progress" });
  expect(report.stopped?.message).toMatch(keeps);
  // sleeps of four seconds at most, and no spinning
  expect(report.durationMs).toBeLessThan(60_000);
});
