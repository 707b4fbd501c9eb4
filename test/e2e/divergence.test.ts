import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { type RunSummary, Store } from "./reenact.ts";
import { tamper } from "./tamper.ts";
import type { Recorded, Replayed } from "./trial.ts";

const desk = join(import.meta.dirname, "../programs/desk.mjs");
const logs = mkdtempSync(join(tmpdir(), "divergence-"));
const store = new Store();
let provider: ChildProvider;
let recorded: Recorded;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  recorded = await store.run([process.execPath, desk], { env });
  expect(recorded.summary).toMatchObject({ status: "ok", steps: 8, complete: true });
  await provider.stop();
});

afterAll(() => {
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

async function replayed(change: string, flags: readonly string[] = [], run?: string): Promise<Replayed> {
  const { run: id } = recorded.summary as RunSummary & { run: string };
  return store.replay(run ?? id, [process.execPath, desk, change], { env, flags: ["--timeout", "20", ...flags] });
}

test("unchanged, it is identical", async () => {
  const { code, stdout, report } = await replayed("");
  expect({ code, stdout, verdict: report.verdict }).toEqual({ code: 0, stdout: recorded.stdout, verdict: "identical" });
  expect(report.findings).not.toContain("source-changed");
});

const CHANGES = [
  { change: "model", step: 1, verdict: "params", pointer: "/model" },
  { change: "params", step: 1, verdict: "params", pointer: "/temperature" },
  { change: "system", step: 1, verdict: "system", pointer: "/messages/0/content" },
  { change: "user", step: 1, verdict: "changed", pointer: "/messages/1/content" },
  { change: "order", step: 3, verdict: "reordered", pointer: null },
  { change: "added-before", step: 2, verdict: "extra", pointer: null, strict: "changed" },
  { change: "dropped", step: 5, verdict: "missing", pointer: null },
  { change: "added", step: 6, verdict: "extra", pointer: null },
  { change: "added-alike", step: 6, verdict: "extra", pointer: null, strict: "changed" },
  { change: "dropped-tool", step: 7, verdict: "missing", pointer: null },
  { change: "argument", step: 7, verdict: "changed", pointer: "/0/amount" },
  { change: "tool-name", step: 7, verdict: "wrong-tool", pointer: null },
] as const;

describe.each(CHANGES)("$change", ({ change, step, verdict, pointer, ...more }) => {
  test("the verdict names step, class and place", async () => {
    const { code, report } = await replayed(change);
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ step, verdict, pointer });
    expect(report.socketsRefused).toBe(0);
  });

  test("strict stops there", async () => {
    const { code, report } = await replayed(change, ["--mode", "strict"]);
    expect(code).toBe(10);
    expect(report.stopped?.reason).toBe("strict");
    // what never comes is known only when something else comes in its place, and a call more when the recorded one comes
    const known = "strict" in more ? more.strict : verdict;
    if (verdict !== "missing") expect(report.divergence).toMatchObject({ step, verdict: known });
    const after = report.calls.filter((call) => call.step > step + 1 && call.verdict !== "missing");
    expect(after).toEqual([]);
  });
});

test("a miss stays, also where the agent swallows the error", async () => {
  const { code, stdout, report } = await replayed("swallowed");
  expect(stdout).toBe(recorded.stdout);
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ step: 8, verdict: "extra" });
  expect(report.missing).toBe(0);
});

test("a changed value under --run-tool names the tool as the cause", async () => {
  const { code, report } = await replayed("another-limit", ["--run-tool", "credit_limit"]);
  expect(code).toBe(10);
  expect(report.edited).toBe(1);
  expect(report.divergence).toMatchObject({ step: 6, verdict: "changed", pointer: "/messages/1/content" });
  expect(report.divergence?.cause).toContain("credit_limit");
  expect(report.notes.join()).toContain('returned {"id":7,"limit":50} (recorded: returned {"id":7,"limit":40})');
});

test("a served tool whose source has changed is said; its body has not run", async () => {
  const { code, stdout, stderr, report } = await replayed("source");
  expect({ code, stdout, verdict: report.verdict }).toEqual({
    code: 0,
    stdout: recorded.stdout,
    verdict: "identical",
  });
  // and so are the arguments, by which this program is told to change
  expect(report.findings.toSorted()).toEqual(["environment-changed", "source-changed"]);
  expect(report.changedTools).toHaveLength(1);
  expect(stderr).toBe("");
});

test("a random value that the recorded run did not draw is said, also where nothing shows it", async () => {
  const { code, stdout, report } = await replayed("drawn");
  expect(stdout).toBe(recorded.stdout);
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "draw" });
  expect(report.divergence?.cause).toMatch(
    /^the agent asks for Math\.random where the recorded run did not, before step \d+, at .*\.\w+:\d+:\d+$/,
  );
});

describe("a forged record", () => {
  test("two swapped answers show in the first request that holds them", async () => {
    const forged = tamper(store.path(recorded.summary.run ?? ""), (steps) => {
      const [first, , , fourth] = steps;
      if (first === undefined || fourth === undefined) throw new Error("steps are missing");
      const { body } = first.record.exchange?.response ?? {};
      const { body: other } = fourth.record.exchange?.response ?? {};
      Object.assign(first.record.exchange?.response ?? {}, { body: { ...other, cuts: undefined } });
      Object.assign(fourth.record.exchange?.response ?? {}, { body: { ...body, cuts: undefined } });
      [first.output, fourth.output] = [fourth.output, first.output];
    });
    const { code, report } = await replayed("", [], forged);
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ step: 6, verdict: "changed", pointer: "/messages/1/content" });
  });

  test("a deleted last chunk shows where the stream waits for it", async () => {
    const forged = tamper(store.path(recorded.summary.run ?? ""), (steps) => {
      const body = steps.at(-1)?.record.exchange?.response?.body;
      if (body?.cuts === undefined || body.cuts.length === 0) throw new Error("no chunks");
      body.cuts.pop();
    });
    const { code, report } = await replayed("", [], forged);
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ step: 8, verdict: "order" });
  });
});
