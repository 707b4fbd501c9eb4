import { dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import type { CatalogChange } from "../catalog/catalog.ts";
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
  const kept = async () => {
    const keys: string[] = [];
    for await (const { key } of mine.store.list(classPrefix("keep"))) keys.push(key);
    return keys;
  };
  expect((await kept()).length).toBeGreaterThan(1);
  mine.time = Date.now() + 25 * 3_600_000;
  await mine.sealing.sweep.sweep();
  expect((await kept()).length).toBeGreaterThan(1);
  mine.time += 2 * 3_600_000;
  await mine.sealing.sweep.sweep();
  expect(await kept()).toEqual([(await row())?.parts[0]?.key]);
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

test("a run that another process flags while it expires is kept", async () => {
  await open();
  mine.time += 40 * 86_400_000;
  other.time = mine.time;
  beforeNextChange(
    mine,
    ({ remove }) => remove !== undefined,
    () => other.sealing.keeper.mark("acme", run.run, [flag("ticket")]),
  );
  await mine.sealing.sweep.sweep();
  expect(await row()).toMatchObject({ class: "keep", flags: ["ticket"] });
  await mine.sealing.sweep.sweep();
  expect((await other.envelope(run.run))?.spans).toHaveLength(run.steps.length + 1);
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
