import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import type { Recorded, Replayed } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/ends-otherwise.mjs");
const folder = mkdtempSync(join(tmpdir(), "divergence-causes-"));
const store = new Store();
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  const provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  recorded = await store.run([process.execPath, program], { env });
  await provider.stop();
});

afterAll(() => {
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const replay = (change: string): Promise<Replayed> =>
  store.replay(recorded.summary.run ?? "", [process.execPath, program, change], { env });

/** Lines that are not the program's own output. */
const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

test("unchanged, it is identical", async () => {
  expect((await replay("")).report).toMatchObject({ verdict: "identical", socketsRefused: 0 });
});

test("an error of the program's own is the cause, not the calls that are missing behind it", async () => {
  const { code, report } = await replay("own-error");
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "error", step: 2 });
  expect(report.divergence?.cause).toMatch(
    /^the program ended with RangeError: no such order, at .*ends-otherwise\.mjs:\d+:\d+ \(the recorded run ended without an error\), before step 2 \(openai\.chat\)$/,
  );
});

test("a package that is not installed is named, with what installs it", async () => {
  const { report } = await replay("lacking");
  expect(report.divergence?.verdict).toBe("error");
  expect(report.divergence?.cause).toContain(
    "the package @no-such-scope/no-such-package is not installed: npm install @no-such-scope/no-such-package",
  );
});

test("an uncaught miss points at the agent's call, and prints no line of ours", async () => {
  const { stderr, report } = await replay("uncaught");
  expect(report.divergence).toMatchObject({ verdict: "extra", slot: "tool:size#0/tool:size|0" });
  expect(stderr).toMatch(/ReplayMiss: not in the record: .*\n {4}at .*ends-otherwise\.mjs:\d+:\d+/);
  expect(stderr).not.toMatch(/dist\//);
  expect(Math.max(...lines(stderr).map(({ length }) => length))).toBeLessThan(200);
});

test("a call that is tried for ever ends the replay", async () => {
  const { code, stderr, report } = await replay("retried");
  expect(code).toBe(10);
  expect(report.stopped).toMatchObject({ reason: "no-progress" });
  expect(report.stopped?.message).toContain("the agent has tried 51 calls like it");
  expect(report.divergence).toMatchObject({ verdict: "extra" });
  expect(lines(stderr).length).toBeLessThan(12);
});

test("an effect that is refused and tried for ever ends the replay, and is told once", async () => {
  const { report } = await replay("polled");
  expect(report.stopped).toMatchObject({ reason: "no-progress" });
  expect(report.refusals).toHaveLength(1);
  expect(report.refusals[0]).toMatchObject({ kind: "socket", target: "127.0.0.1:5432", count: 201 });
  expect(report).toMatchObject({ sockets: 0, socketsRefused: 201, refused: 201 });
});

test("equal refusals are folded, with the first line of the program that caused them", async () => {
  const { report } = await replay("dialled");
  expect(report.refusals).toHaveLength(1);
  expect(report.refusals[0]).toMatchObject({ count: 3, place: expect.stringMatching(/ends-otherwise\.mjs:\d+:\d+$/) });
  expect(report.refusals[0]?.stack).not.toContain("node:");
});

test("an agent that waits for what never comes ends, and the report says what for", async () => {
  const { report } = await replay("waits");
  expect(report.stopped).toMatchObject({ reason: "no-progress" });
  expect(report.stopped?.message).toContain("still waits for a timer");
});

test("a handle that keeps an idle program alive does not keep the replay", { timeout: 90_000 }, async () => {
  const { report } = await replay("listens");
  expect(report.stopped).toMatchObject({ reason: "no-progress" });
  expect(report.stopped?.message).toMatch(/a server that listens on port \d+ keeps it alive/);
});

test("a reading of the program's own stays the cause where no call differs", async () => {
  const { report } = await replay("own-reading");
  expect(report.divergence).toMatchObject({ verdict: "draw" });
  expect(report.divergence?.cause).toMatch(/Math\.random .*ends-otherwise\.mjs:\d+:\d+$/);
});

test("a reading before a call that is one more yields to the call", async () => {
  const { report } = await replay("reading-and-call");
  expect(report.divergence).toMatchObject({ verdict: "extra", step: 2 });
  expect(report.divergence?.cause).toBe(
    "openai.chat was called before step 2; the recorded run has no such call there",
  );
});
