import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DetectorThread, detectorThread } from "./detector-thread.ts";
import { createWaitBudget, ENDLESS } from "./wait-budget.ts";

let folder: string;
let threads: DetectorThread[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "reenact-detectors-"))));
afterEach(() => {
  for (const thread of threads.splice(0)) thread.close();
  threads = [];
  rmSync(folder, { recursive: true, force: true });
});

function threadOf(body: string, more: { ms?: number; waitBudget?: typeof ENDLESS } = {}): DetectorThread {
  const configFile = join(folder, "reenact.config.mjs");
  writeFileSync(
    configFile,
    `export default { redaction: { detectors: [{ name: "d", type: "NAME", async findLater(text, signal) { ${body} } }] } };`,
  );
  const thread = detectorThread({ configFile, ms: 1000, env: { WORD: "Jane" }, waitBudget: ENDLESS, ...more });
  threads.push(thread);
  return thread;
}
/** What the thread says of a text; undefined: nothing in time. */
function now(thread: DetectorThread, text: string): unknown {
  let said: unknown;
  thread.ask(text, (verdict) => (said = verdict));
  thread.standStill(() => said !== undefined);
  return said;
}
const FIND = "const at = text.indexOf(process.env.WORD); return at === -1 ? [] : [{ start: at, end: at + 4 }];";

test("answers while this thread stands still, and while it does not", async () => {
  const thread = threadOf(FIND);
  expect(now(thread, "ask Jane")).toEqual([{ start: 4, end: 8, type: "NAME", rule: "d" }]);
  await expect(new Promise((resolve) => thread.ask("Jane", resolve))).resolves.toEqual([
    { start: 0, end: 4, type: "NAME", rule: "d" },
  ]);
});

test("what has no good answer has none; the others do", () => {
  const thread = threadOf(`if (text === "bad") throw new Error("no"); ${FIND}`);
  expect(now(thread, "bad")).toBeNull();
  expect(now(thread, "Jane")).toHaveLength(1);
});

test("nobody stands still for longer than there is waitBudget, nor again after two waits in vain", () => {
  const waitBudget = createWaitBudget(150);
  const thread = threadOf("return new Promise(() => {});", { ms: 60_000, waitBudget });
  const took = (): number => {
    const start = performance.now();
    expect(now(thread, `${start}`)).toBeUndefined();
    return performance.now() - start;
  };
  const first = took();
  expect(first).toBeGreaterThan(100);
  // what has passed is a tenth of that
  expect(took()).toBeLessThan(first);
  // a busy machine may take the processor away for a while, and not three times
  expect(Math.min(took(), took(), took())).toBeLessThan(20);
});

test(
  "a thread that says nothing, or has ended, answers nothing; who awaits it gets on",
  { timeout: 20_000 },
  async () => {
    const ended = threadOf("process.exit(1);");
    await expect(new Promise((resolve) => ended.ask("x", resolve))).resolves.toBeNull();
    await expect(new Promise((resolve) => ended.ask("y", resolve))).resolves.toBeNull();
    const stuck = threadOf('if (text === "x") for (;;); return [];', { ms: 100 });
    expect(now(stuck, "y")).toEqual([]);
    const held = setInterval(() => {}, 1000);
    await expect(new Promise((resolve) => stuck.ask("x", resolve))).resolves.toBeNull();
    clearInterval(held);
  },
);

test("without its detectors it has no answer", () => {
  const thread = detectorThread({ configFile: join(folder, "gone.mjs"), ms: 400, env: {}, waitBudget: ENDLESS });
  threads.push(thread);
  expect(now(thread, "Jane")).toBeNull();
});
