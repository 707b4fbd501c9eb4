import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { packKeys, sealedRunsOf } from "../seal/read-packs.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "../seal/workbench.test.fixture.ts";
import { type Mark, newMarkId } from "./mark.ts";
import { nativeRules } from "./retention-times.ts";
import { retentionRules } from "./retention-rules.ts";
import { STORAGE_PRICES } from "./storage-price.ts";

const DAY = 86_400_000;
let bench: Workbench;
const open = async (options?: WorkbenchOptions) => (bench = await openWorkbench(options));
afterEach(() => bench.close());

async function sealed(...runs: readonly SampleRun[]) {
  for (const { steps, root } of runs) await bench.send([...steps, root]);
  await bench.pass(0);
}
const rowOf = async ({ run }: SampleRun) => (await bench.catalog.get("acme", run))!;
const say = ({ run }: SampleRun, said: Omit<Mark, "id" | "at">) =>
  bench.sealing.keeper.mark("acme", run, [{ id: newMarkId(), ...said, at: bench.time }]);
async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const key of packKeys(bench.store)) all.push(key);
  return all;
}

test("short runs go after their time, failed and flagged ones stay and can be read", async () => {
  await open();
  const [plain, failed, flagged, pinned] = [
    sampleRun(1),
    sampleRun(2, { status: "failed" }),
    sampleRun(3),
    sampleRun(4),
  ];
  await sealed(plain, failed, flagged, pinned);
  await say(flagged, { kind: "flag", name: "wrong tool" });
  await say(pinned, { kind: "flag", name: "for the audit", pinned: true });
  bench.time += 29 * DAY;
  expect(await bench.sealing.sweep.sweep()).toEqual({ packs: 0, runs: 0, failures: 0 });
  bench.time += 2 * DAY;
  expect(await bench.sealing.sweep.sweep()).toEqual({ packs: 1, runs: 1, failures: 0 });
  expect(await bench.envelope(plain.run)).toBeNull();
  expect(await bench.envelope(failed.run)).toMatchObject({
    complete: true,
    header: { class: "keep", status: "failed" },
  });
  expect(await bench.envelope(flagged.run)).toMatchObject({ complete: true, header: { class: "keep" } });
  expect(await rowOf(failed)).toMatchObject({ class: "keep", rule: "failed" });
  expect(await rowOf(flagged)).toMatchObject({ class: "keep", rule: "flagged", flags: ["wrong tool"] });
  expect(await rowOf(pinned)).toMatchObject({ class: "keep", rule: "pinned", flags: ["for the audit"] });
  bench.time += 5_000 * DAY;
  expect(await bench.sealing.sweep.sweep()).toEqual({ packs: 0, runs: 0, failures: 0 });
  expect(await bench.envelope(flagged.run)).not.toBeNull();
});

test("a flag and an expiry at the same moment: the run is kept, or the flag is refused", async () => {
  for (let round = 0; round < 5; round++) {
    await open();
    const run = sampleRun(round + 10);
    await sealed(run);
    bench.time += 40 * DAY;
    const flags = [0, 1, 2].map((n) => say(run, { kind: "flag", name: `reason ${n}` }));
    const [flagged] = await Promise.all([Promise.allSettled(flags), bench.sealing.sweep.sweep()]);
    const after = await bench.catalog.get("acme", run.run);
    if (flagged.some(({ status }) => status === "fulfilled")) {
      expect(after).toMatchObject({ class: "keep", flags: ["reason 0", "reason 1", "reason 2"] });
      expect(await bench.envelope(run.run)).toMatchObject({ complete: true });
    } else {
      expect(after).toBeNull();
      for (const each of flagged) expect(each).toMatchObject({ reason: { code: "NO_OBJECT" } });
    }
    if (round < 4) await bench.close();
  }
});

test("feedback and scores choose by rule, upgrade only, and the last word is in the pack", async () => {
  const { rules } = retentionRules.parse({
    rules: [
      { name: "unhappy", class: "keep", when: { feedback: { below: 0 } } },
      { name: "weak", class: "sample", when: { score: { name: "quality", below: 0.5 } } },
    ],
  });
  await open({ rules });
  const run = sampleRun(30);
  await sealed(run);
  const rate = async (kind: "feedback" | "score", name: string, value: number) => say(run, { kind, name, value });
  expect(await rate("score", "quality", 0.9)).toMatchObject({ class: "short", rule: null });
  expect(await rate("score", "quality", 0.1)).toMatchObject({ class: "sample", rule: "weak" });
  expect(await rate("feedback", "user", -1)).toMatchObject({ class: "keep", rule: "unhappy" });
  expect(await rate("score", "quality", 0.2)).toMatchObject({ class: "keep", rule: "unhappy" });
  const last = (await rowOf(run)).parts.at(-1)!;
  for await (const { receipt, rule } of sealedRunsOf(bench.store, last.key)) {
    expect(rule).toBe("unhappy");
    expect((receipt["marks"] as { value: number }[]).map(({ value }) => value)).toEqual([0.9, 0.1, -1, 0.2]);
  }
  // What comes late for a run that is kept is kept, with what was said of it.
  await bench.send([{ ...sampleRun(30, { text: () => "late" }).steps[0]! }]);
  await bench.pass(600_000);
  expect(await rowOf(run)).toMatchObject({ class: "keep", revision: 1 });
});

test("the plan says what would go and what it costs, and removes nothing", async () => {
  await open();
  await sealed(sampleRun(40), sampleRun(41), sampleRun(42, { status: "failed" }));
  bench.time += 31 * DAY;
  const before = await keys();
  const plan = await bench.sealing.sweep.plan("acme", STORAGE_PRICES.s3);
  expect(plan.goes.short).toMatchObject({ packs: 1, runs: 2 });
  expect(plan.stays.keep).toMatchObject({ packs: 1, runs: 1 });
  expect(plan.usdPerMonth.goes).toBeCloseTo((plan.goes.short.bytes / 1e9) * 0.023, 12);
  expect(plan.price.source).not.toBe("");
  expect(await bench.sealing.sweep.plan("acm", STORAGE_PRICES.s3)).toMatchObject({
    usdPerMonth: { goes: 0, stays: 0 },
  });
  expect(await keys()).toEqual(before);
});

test("rows of packs that the store expired by itself go too", async () => {
  await open();
  const [gone, kept] = [sampleRun(50), sampleRun(51, { status: "failed" })];
  await sealed(gone, kept);
  for (const { key } of (await rowOf(gone)).parts) await bench.store.delete(key);
  expect(await bench.sealing.sweep.sweep()).toMatchObject({ runs: 0 });
  bench.time += 31 * DAY;
  expect(await bench.sealing.sweep.sweep()).toMatchObject({ runs: 1, failures: 0 });
  expect(await bench.catalog.get("acme", gone.run)).toBeNull();
  expect(await bench.catalog.get("acme", kept.run)).not.toBeNull();
});

test("a pack that cannot be read is left and told of", async () => {
  await open();
  const run = sampleRun(60);
  await sealed(run);
  const [part] = (await rowOf(run)).parts;
  await bench.store.put(part!.key, Buffer.from("not a pack"));
  bench.time += 31 * DAY;
  expect(await bench.sealing.sweep.sweep()).toMatchObject({ packs: 0, failures: 1 });
  expect(await bench.store.head(part!.key)).not.toBeNull();
});

test("retention counts from receiving, whatever the sender's clock says", async () => {
  await open();
  const run = sampleRun(70);
  await sealed(run);
  const [key] = await keys();
  // The spans say 2025-11-22, the collector's clock 2026-11-20.
  expect(key).toContain("/2026/11/20/");
});

test("the store's own rules come after the sweep", () => {
  expect(nativeRules({ short: 30 * DAY, sample: 0.5 * DAY })).toEqual([
    { prefix: "v1/runs/short/", days: 32 },
    { prefix: "v1/runs/sample/", days: 3 },
  ]);
});
