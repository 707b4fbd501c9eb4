import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();
const thread = join(import.meta.dirname, `../programs/thread-${process.pid}.mjs`);
beforeAll(() => {
  writeFileSync(thread, `import { parentPort } from "node:worker_threads"; parentPort.postMessage(1);`);
});
afterAll(() => {
  rmSync(thread, { force: true });
});

const moved = `await call("b"); console.log("between"); await call("c");`;
const there = `console.log("between"); await call("b"); await call("c");`;

test("where a served tool starts a child process, or a thread, the place of output is compared", async () => {
  const before = `import { execFileSync, execFile } from "node:child_process"; import { Worker } from "node:worker_threads";
const sync = tool("sync", () => execFileSync("echo", ["hi"]).toString());
const later = tool("later", () => new Promise((r) => execFile("echo", ["hi"], (e, o) => r(o))));
const work = tool("work", () => new Promise((r) => new Worker(${JSON.stringify(thread)}).on("message", r)));
sync(); await later(); await work(); `;
  const { code, report } = await edited(before + there, before + moved);
  expect(report.divergence).toMatchObject({ verdict: "output-changed", recorded: "before the answer of step 6" });
  expect(code).toBe(10);
});

test("where a thread may wake the program, the report says that the place of output is not compared", async () => {
  const before = `import { Worker } from "node:worker_threads";
await new Promise((r) => new Worker(${JSON.stringify(thread)}).on("message", r)); await call("a"); `;
  const { report } = await edited(before + there, before + moved);
  expect(report.verdict).toBe("identical");
  expect(report.notes).toEqual([
    expect.stringMatching(
      /^not compared: between which answers standard output was written, since a worker thread \(.*\) may wake the program/,
    ),
  ]);
});
