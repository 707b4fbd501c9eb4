import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { noLog } from "../log.ts";
import { rebuildCatalog } from "../rebuild/rebuild-catalog.ts";
import { createRunKeeper } from "./run-keeper.ts";
import { packKeys, readPackIndexFrom } from "../seal/read-packs.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "../seal/workbench.test.fixture.ts";
import type { Mark } from "./mark.ts";
import { retentionRules } from "./retention-rules.ts";
import type { MarkChange } from "./mark-list.ts";

const DAY = 86_400_000;
let bench: Workbench;
const open = async (options?: WorkbenchOptions) => (bench = await openWorkbench(options));
afterEach(() => bench.close());

const rowOf = ({ run }: SampleRun) => bench.catalog.get("acme", run);
let ids = 0;
const flag = (name: string, more: Pick<Mark, "kind" | "value" | "pinned"> | {} = {}) => ({
  id: (++ids).toString(16).padStart(16, "0"),
  kind: "flag" as const,
  name,
  at: bench.time++,
  ...more,
});
/** As the API sees one that is in no pack yet. */
const openRow = ({ run }: { run: string }) => ({ tenant: "acme", run, parts: [], flags: [] }) as unknown as RunRow;
const without = ({ id }: { id: string }): MarkChange => ({ mark: id, at: bench.time++, by: "alice" });
const say = ({ run }: SampleRun, ...said: MarkChange[]) => bench.sealing.keeper.mark("acme", run, said);

async function sealed(...runs: SampleRun[]): Promise<void> {
  for (const { steps, root } of runs) await bench.send([...steps, root]);
  await bench.pass(0);
}

async function rebuilt(): Promise<(run: SampleRun) => Promise<RunRow | null>> {
  const catalog = createMemoryCatalog();
  await rebuildCatalog({ store: bench.store, catalog, epoch: 0, log: noLog });
  return ({ run }) => catalog.get("acme", run);
}

/** Classes of the packs that hold something of the run. */
async function heldIn({ run }: SampleRun): Promise<string[]> {
  const found: string[] = [];
  for await (const key of packKeys(bench.store)) {
    const index = await readPackIndexFrom(bench.store, key);
    if (index.runs.some((each) => each.run === run)) found.push(index.class);
  }
  return found;
}

test("a run whose flags are removed comes back into the class that it had, and no copy of it stays for ever", async () => {
  await open();
  const run = sampleRun(1);
  await sealed(run);
  const plain = await rowOf(run);
  const [wrong, slow] = [flag("wrong row"), flag("slow")];
  await say(run, wrong, slow);
  expect(await rowOf(run)).toMatchObject({ class: "keep", rule: "flagged", flags: ["wrong row", "slow"] });
  expect(await say(run, without(wrong))).toMatchObject({ class: "keep", rule: "flagged", flags: ["slow"] });
  expect(await say(run, without(slow))).toMatchObject({ class: "short", rule: null, flags: [] });
  expect({ ...(await rowOf(run)), parts: [] }).toEqual({ ...plain, parts: [] });
  expect((await bench.envelope(run.run))?.spans).toHaveLength(4);
  expect((await bench.envelope(run.run))?.header.class).toBe("short");
  await bench.sealing.prune(true);
  expect(new Set(await heldIn(run))).toEqual(new Set(["short"]));
  expect(await (await rebuilt())(run)).toEqual(await rowOf(run));
  // said twice, it is removed once
  expect(await say(run, without(slow))).toEqual(await rowOf(run));
  // flagged again, it is kept again
  expect(await say(run, flag("wrong row"))).toMatchObject({ class: "keep", flags: ["wrong row"] });
  expect(await (await rebuilt())(run)).toEqual(await rowOf(run));
});

test("a run whose flag is removed after 400 days does not expire at once; once it has expired, a rebuild does not bring it back", async () => {
  await open();
  const run = sampleRun(2);
  await sealed(run);
  const wrong = flag("wrong row", { pinned: true });
  await say(run, wrong);
  bench.time += 400 * DAY;
  await say(run, without(wrong));
  for (const days of [0, 6]) {
    bench.time += days * DAY;
    await bench.sealing.sweep.sweep();
    expect(await rowOf(run)).toMatchObject({ class: "short", flags: [] });
    expect((await bench.envelope(run.run))?.spans).toHaveLength(4);
  }
  expect(await (await rebuilt())(run)).toEqual(await rowOf(run));
  // nobody has removed the copy in `keep` yet
  expect(await heldIn(run)).toContain("keep");
  bench.time += 3 * DAY;
  await bench.sealing.sweep.sweep();
  expect(await rowOf(run)).toBeNull();
  expect(await heldIn(run)).toEqual(["keep"]);
  expect(await (await rebuilt())(run)).toBeNull();
  await bench.sealing.prune(true);
  expect(await heldIn(run)).toEqual([]);
});

test("a void copy is removed from a pack that other runs need, and their copies stay", async () => {
  await open();
  const runs = [sampleRun(3), sampleRun(4), sampleRun(5)];
  for (const run of runs) await bench.send(run.steps);
  await bench.settled();
  const keeper = createRunKeeper({ ...bench, waiting: () => [], isShared: false });
  const flags = runs.map(({ run }) => ({ run, mark: flag(`of ${run.slice(-1)}`) }));
  for (const { run, mark } of flags) await keeper.mark(openRow({ run }), mark);
  bench.sent = null;
  for (const run of runs) await bench.send([run.root]);
  await bench.pass(0);
  const [first] = runs as [SampleRun];
  const shared = (await rowOf(first))!.parts[0]!.key;
  expect((await readPackIndexFrom(bench.store, shared)).runs).toHaveLength(3);
  // its copy with both flags lies elsewhere, and the one in the shared pack is not forgotten
  const more = flag("more");
  await say(first, more);
  await say(first, without(more), without(flags[0]!.mark));
  expect(await rowOf(first)).toMatchObject({ class: "short", rule: null, flags: [] });
  await bench.sealing.prune(true);
  expect(await heldIn(first)).toEqual(["short"]);
  const again = await rebuilt();
  for (const run of runs) {
    expect((await bench.envelope(run.run))?.spans).toHaveLength(4);
    expect(await again(run)).toEqual(await rowOf(run));
  }
});

test("failed runs, and runs that a rule keeps, keep their class when their flags are removed", async () => {
  const { rules } = retentionRules.parse({
    rules: [{ name: "weak", class: "sample", when: { score: { name: "quality", below: 0.5 } } }],
  });
  await open({ rules });
  const [failed, weak] = [sampleRun(6, { status: "failed" }), sampleRun(7)];
  await sealed(failed, weak);
  const wrong = flag("wrong row");
  await say(failed, wrong);
  expect(await say(failed, without(wrong))).toMatchObject({ class: "keep", rule: "failed", flags: [] });
  const score = flag("quality", { kind: "score", value: 0.1 });
  await say(weak, score, wrong);
  expect(await say(weak, without(wrong))).toMatchObject({ class: "sample", rule: "weak", flags: [] });
  expect(await say(weak, without(score))).toMatchObject({ class: "short", rule: null });
  const again = await rebuilt();
  for (const run of [failed, weak]) expect(await again(run)).toEqual(await rowOf(run));
});

test("a flag that is removed before the run is sealed, or while late spans are being sealed, does not keep the run", async () => {
  await open();
  const keeper = createRunKeeper({ ...bench, waiting: () => [], isShared: false });
  const [early, late] = [sampleRun(8), sampleRun(9)];
  const [wrong, slow] = [flag("wrong row"), flag("slow")];
  await bench.send(early.steps);
  await keeper.mark(openRow(early), wrong);
  await keeper.mark(openRow(early), without(wrong));
  await bench.send([late.root, ...late.steps.slice(1)]);
  await bench.send([early.root]);
  await bench.pass(600_000);
  expect(await rowOf(early)).toMatchObject({ class: "short", rule: null, flags: [] });
  expect(await heldIn(early)).toEqual(["short"]);

  await say(late, slow);
  await bench.send(late.steps.slice(0, 1));
  await bench.settled();
  bench.time += 600_000;
  bench.assembler.tick();
  await expect.poll(() => bench.sealing.counts().waiting).toBe(1);
  const taken = await keeper.mark((await rowOf(late))!, without(slow));
  expect(taken.applied).toBe(false);
  await bench.crash();
  await bench.pass(600_000);
  await expect.poll(() => rowOf(late)).toMatchObject({ class: "short", rule: null, flags: [], revision: 1 });
  await bench.sealing.prune(true);
  expect(await heldIn(late)).not.toContain("keep");
  const again = await rebuilt();
  for (const run of [early, late]) expect(await again(run)).toEqual(await rowOf(run));
});
