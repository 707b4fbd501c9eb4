import { dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import type { CatalogChange } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { packEntryOf } from "../seal/read-newest.ts";
import { openWorkbench, type Workbench } from "../seal/workbench.test.fixture.ts";
import { classPrefix } from "./retention-times.ts";
import { type Mark, newMarkId } from "./mark.ts";

/** Two collectors with one store and one catalog; the first one has sealed the run. */
let mine: Workbench;
let other: Workbench;
const run = sampleRun(1);

async function open(): Promise<void> {
  mine = await openWorkbench();
  other = await openWorkbench({ store: mine.store, catalogFolder: dirname(mine.journalFolder) });
  await mine.send([...run.steps, run.root]);
  await mine.pass(600_000);
}
afterEach(async () => {
  await other.close();
  await mine.close();
});

const flag = (name: string): Mark => ({ id: newMarkId(), kind: "flag", name, at: mine.time });
const row = () => mine.catalog.get("acme", run.run);

/** Does `meanwhile` once, after the change was made from what was read and before it is applied. */
function beforeNextChange(
  bench: Workbench,
  fits: (change: CatalogChange) => boolean,
  meanwhile: () => Promise<unknown>,
) {
  const { apply } = bench.catalog;
  let pending = true;
  bench.catalog.apply = async (change) => {
    if (pending && fits(change)) {
      pending = false;
      await meanwhile();
    }
    return apply(change);
  };
}
/** Does `meanwhile` once, before the next object is put. */
function beforeNextPut({ store }: Workbench, meanwhile: () => Promise<unknown>) {
  const { put } = store;
  Object.assign(store, {
    put: async (...args: Parameters<typeof put>) => {
      Object.assign(store, { put });
      await meanwhile();
      return put(...args);
    },
  });
}
async function keptKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of mine.store.list(classPrefix("keep"))) keys.push(key);
  return keys;
}
const puts = ({ upsert }: CatalogChange) => upsert !== undefined;

test("two processes that mark a run at once both have their mark in its row and in its pack, also where it is kept", async () => {
  await open();
  beforeNextChange(mine, puts, () => other.sealing.keeper.mark("acme", run.run, [flag("theirs")]));
  await mine.sealing.keeper.mark("acme", run.run, [flag("mine")]);
  // the same once it is kept: the other one is done before the copy is put, and between that and the change of the row
  beforeNextPut(mine, () => other.sealing.keeper.mark("acme", run.run, [flag("first")]));
  await mine.sealing.keeper.mark("acme", run.run, [flag("second")]);
  beforeNextChange(mine, puts, () => other.sealing.keeper.mark("acme", run.run, [flag("third")]));
  await mine.sealing.keeper.mark("acme", run.run, [flag("fourth")]);
  const all = ["first", "fourth", "mine", "second", "theirs", "third"];
  expect((await row())?.flags.toSorted()).toEqual(all);
  const { marks } = await other.sealing.keeper.marksOf("acme", run.run);
  expect(marks.map(({ name }) => name).toSorted()).toEqual(all);

  // the copy with one of the marks was never committed
  await mine.sealing.prune(true);
  expect((await keptKeys()).length).toBeGreaterThan(1);
  mine.time = Date.now() + 25 * 3_600_000;
  await mine.sealing.sweep.sweep();
  expect((await keptKeys()).length).toBeGreaterThan(1);
  mine.time += 2 * 3_600_000;
  await mine.sealing.sweep.sweep();
  expect(await keptKeys()).toEqual([(await row())?.parts[0]?.key]);
  expect((await other.envelope(run.run))?.spans).toHaveLength(run.steps.length + 1);
});

test("a process that lost its part of the journal changes nothing by a mark that it read before", async () => {
  await open();
  const fence = { name: "partition", epoch: await mine.catalog.fence("partition") };
  const before = await row();
  beforeNextChange(mine, puts, () => other.catalog.fence("partition"));
  expect(await mine.sealing.mark("acme", run.run, [flag("late")], { waits: false, fence })).toBe(false);
  expect(await row()).toEqual(before);
  const now = { ...fence, epoch: fence.epoch + 1 };
  expect(await other.sealing.mark("acme", run.run, [flag("in time")], { waits: false, fence: now })).toBe(true);
  expect((await row())?.flags).toEqual(["in time"]);
});

test("a catalog that was restored from a backup loses no run that was flagged since", async () => {
  await open();
  const before = (await row())!;
  await mine.sealing.keeper.mark("acme", run.run, [flag("ticket")]);
  await mine.sealing.prune(true);
  const kept = (await row())!.parts[0]!.key;
  await mine.catalog.apply({ upsert: [{ row: before }] });
  for (const days of [2, 40]) {
    mine.time = Date.now() + days * 86_400_000;
    await mine.sealing.sweep.sweep();
  }
  // whose row comes back with the next rebuild
  expect(await mine.store.head(kept)).not.toBeNull();
});

test("a run of which spans or marks come after its row was restored from a backup has what it had, and those", async () => {
  await open();
  const before = (await row())!;
  const late = async (n: number) => {
    await mine.send([sampleRun(1, { text: () => `late ${n}` }).steps[0]!]);
    await mine.pass(600_000);
  };
  await late(1);
  await mine.sealing.prune(true);
  expect(await mine.store.head(before.parts[0]!.key)).toBeNull();
  const restore = async () => {
    await mine.catalog.apply({ remove: [{ tenant: "acme", run: run.run }] });
    await mine.catalog.apply({ upsert: [{ row: before }] });
  };
  await restore();
  await late(2);
  const spans = async () => (await mine.envelope(run.run))?.spans.length;
  expect([(await row())?.revision, await spans()]).toEqual([2, run.steps.length + 3]);

  await mine.sealing.prune(true);
  await restore();
  await mine.sealing.keeper.mark("acme", run.run, [flag("ticket")]);
  expect(await row()).toMatchObject({ revision: 2, class: "keep", flags: ["ticket"] });
  expect(await spans()).toBe(run.steps.length + 3);
  // what is past its time is none; what was kept is, also where the row names a pack that is past its time
  await mine.sealing.prune(true);
  await restore();
  mine.time += 40 * 86_400_000;
  await mine.sealing.keeper.mark("acme", run.run, [flag("again")]);
  expect(await row()).toMatchObject({ revision: 2, class: "keep", flags: ["ticket", "again"] });
});

test("a run whose newest revision was lost goes on from the one before, and its row keeps its number", async () => {
  await open();
  const late = async (n: number) => {
    await mine.send([sampleRun(1, { text: () => `late ${n}` }).steps[0]!]);
    await mine.pass(600_000);
  };
  await late(1);
  await mine.store.delete((await row())!.parts[0]!.key);
  await late(2);
  const spans = async () => (await mine.envelope(run.run))?.spans.length;
  expect([(await row())?.revision, await spans()]).toEqual([2, run.steps.length + 2]);
  await mine.store.delete((await row())!.parts[0]!.key);
  await mine.sealing.keeper.mark("acme", run.run, [flag("ticket")]);
  expect(await row()).toMatchObject({ revision: 2, class: "keep", flags: ["ticket"] });
  expect(await spans()).toBe(run.steps.length + 1);
});

test("spans that come late while a damaged pack may have their run are set aside, and hold nothing up", async () => {
  await open();
  const other = sampleRun(2);
  await mine.send([...other.steps, other.root]);
  await mine.pass(600_000);
  const damaged = (await mine.catalog.get("acme", other.run))!.parts[0]!.key;
  const bytes = Buffer.from(await mine.store.getRange(damaged, 0, 2 ** 20));
  bytes[bytes.length - 20]! ^= 1;
  await mine.store.put(damaged, bytes);
  await mine.store.delete((await row())!.parts[0]!.key);
  await mine.send([sampleRun(1, { text: () => "late" }).steps[0]!]);
  await mine.pass(600_000);
  expect([mine.sealing.counts().failures, mine.assembler.counts().sealing]).toEqual([1, 0]);
});

test("a kept pack that could not be looked at is looked at again", async () => {
  await open();
  await mine.sealing.keeper.mark("acme", run.run, [flag("ticket")]);
  const { key } = (await row())!.parts[0]!;
  beforeNextPut(mine, () => other.sealing.keeper.mark("acme", run.run, [flag("theirs")]));
  await mine.sealing.keeper.mark("acme", run.run, [flag("mine")]);
  const left = async () => (await keptKeys()).length;
  await mine.sealing.prune(true);
  await other.sealing.prune(true);
  expect(await left()).toBeGreaterThan(1);
  expect(await keptKeys()).not.toContain(key);
  const { get } = mine.catalog;
  mine.catalog.get = () => Promise.reject(new CatalogError("UNUSABLE", "it is away"));
  mine.time = Date.now() + 27 * 3_600_000;
  await mine.sealing.sweep.sweep().catch(() => {});
  expect(await left()).toBeGreaterThan(1);
  mine.catalog.get = get;
  await mine.sealing.prune(true);
  expect(await keptKeys()).toEqual([(await row())?.parts[0]?.key]);
});

test("a run with many marks names no copies that are gone", async () => {
  await open();
  for (let n = 0; n < 5; n++) {
    await mine.sealing.keeper.mark("acme", run.run, [flag(`flag ${n}`)]);
    await mine.sealing.prune(true);
  }
  const part = (await row())!.parts[0]!;
  expect((await packEntryOf(mine.store, run.run, part)).receipt.earlier).toHaveLength(1);
});

test("a run that another process flags while it expires is kept", async () => {
  await open();
  mine.time += 40 * 86_400_000;
  other.time = mine.time;
  beforeNextChange(
    mine,
    ({ remove }) => remove !== undefined,
    () => other.sealing.keeper.mark("acme", run.run, [flag("ticket")]),
  );
  // which is no failure of the sweep: nobody names the pack any more
  expect(await mine.sealing.sweep.sweep()).toEqual({ packs: 1, runs: 0, failures: 0 });
  expect(await row()).toMatchObject({ class: "keep", flags: ["ticket"] });
  await mine.sealing.sweep.sweep();
  expect((await other.envelope(run.run))?.spans).toHaveLength(run.steps.length + 1);
});

test("rows that change each time while they expire are left for a later sweep, which is no failure", async () => {
  await open();
  mine.time += 40 * 86_400_000;
  const { apply } = mine.catalog;
  mine.catalog.apply = (change) =>
    change.remove ? Promise.reject(new CatalogError("CONFLICT", "another copy")) : apply(change);
  expect(await mine.sealing.sweep.sweep()).toEqual({ packs: 0, runs: 0, failures: 0 });
  // the same where the store has removed the pack by itself
  const { key } = (await row())!.parts[0]!;
  await mine.store.delete(key);
  expect(await mine.sealing.sweep.sweep()).toEqual({ packs: 0, runs: 0, failures: 0 });
  mine.catalog.apply = apply;
  expect(await mine.sealing.sweep.sweep()).toEqual({ packs: 0, runs: 1, failures: 0 });
});

test("a pack that is written again without old revisions gives no run back the copy from before a mark", async () => {
  await open();
  const large = sampleRun(2, { steps: 20 });
  await other.send([...large.steps.slice(1), large.root, sampleRun(3).root]);
  await other.pass(600_000);
  await other.send(large.steps.slice(0, 1));
  await other.pass(600_000);
  const small = sampleRun(3).run;
  // what `other` writes again holds `small` and the first revision of `large`
  beforeNextChange(other, puts, () => mine.sealing.keeper.mark("acme", small, [flag("kept")]));
  await other.sealing.prune(true);
  expect(await mine.catalog.get("acme", small)).toMatchObject({ class: "keep", flags: ["kept"] });
  expect((await mine.envelope(small))?.header.class).toBe("keep");
});
