import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { EVERYTHING } from "../catalog/filter.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import { noLog } from "../log.ts";
import { createOpenFacts } from "../query/open-facts.ts";
import { createOpenRuns } from "../query/open-runs.ts";
import { rebuildCatalog } from "../rebuild/rebuild-catalog.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { createRunKeeper } from "../retain/run-keeper.ts";
import { packKeys, readPackIndexFrom } from "./read-packs.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

/** The test crashes at every n-th point, from a random one on. */
const EVERY: Readonly<Record<string, number>> = { small: 15, ci: 2, full: 1 };
const every = EVERY[process.env["TEST_SCALE"] ?? "small"] ?? 15;
/** Both are sent before the first mark, so that they lie in one pack. */
const [beside, run] = [sampleRun(1), sampleRun(2)];
let bench: Workbench;
afterEach(() => bench.close());

const rows = async () => (await bench.catalog.find({ filter: EVERYTHING }, { limit: 100 })).rows;

async function say({ run: id }: SampleRun, said: MarkChange): Promise<void> {
  const open = createOpenRuns(createOpenFacts(bench.assembler, bench.sealing), bench.journal);
  const row = (await bench.catalog.get("acme", id)) ?? (await open.rows("acme")).find((each) => each.run === id);
  if (!row) throw new Error("nothing is known of the run");
  await createRunKeeper({ ...bench, waiting: () => [], isShared: false }).mark(row, said);
}

const idOf = (name: string) => Buffer.from(name.padEnd(8).slice(0, 8)).toString("hex");
const flag = (of: SampleRun, name: string) => say(of, { id: idOf(name), kind: "flag", name, at: bench.time++ });
const unflag = (of: SampleRun, name: string) => say(of, { mark: idOf(name), at: bench.time++ });

interface Lived {
  readonly set: readonly string[];
  readonly removed: readonly string[];
  /** the crash came while this flag was being removed: it may be there or not */
  readonly doubtful: string | null;
  readonly points: number;
}

/** Crashes at the point with this number; resolves to the calls that were answered, and the number of points. */
async function live(crashAt: number): Promise<Lived> {
  let [points, dead, hasBegun] = [0, false, false];
  const planned = crashAt;
  const crashed = Promise.withResolvers<never>();
  crashed.promise.catch(() => {});
  bench = await openWorkbench({
    point() {
      if (!hasBegun) return;
      dead ||= points++ === crashAt;
      if (!dead) return;
      crashed.reject(new Error("it has crashed"));
      throw new Error("it has crashed");
    },
  });
  hasBegun = true;
  const [set, removed]: [string[], string[]] = [[], []];
  /** A crash can happen in background work. Calls of the crashed process that are still pending then never resolve: they would go on in the restarted one. */
  const before = async (work: Promise<unknown>): Promise<void> => {
    await work;
    if (dead || crashAt !== planned) await new Promise(() => {});
  };
  const mark = async (name: string) => {
    await before(flag(run, name));
    set.push(name);
  };
  let doubtful: string | null = null;
  const remove = async (name: string) => {
    doubtful = name;
    await before(unflag(run, name));
    doubtful = null;
    removed.push(name);
  };
  const life = async () => {
    await before(bench.send([...beside.steps, ...run.steps.slice(0, 2)]));
    await before(bench.settled());
    await mark("open");
    await before(flag(beside, "beside"));
    await before(bench.send([run.root, beside.root]));
    await before(bench.pass(600_000));
    await mark("sealed");
    await before(bench.send(run.steps.slice(2)));
    await before(bench.settled());
    await mark("late");
    bench.time += 600_000;
    bench.assembler.tick();
    await before(Promise.resolve(expect.poll(() => bench.sealing.counts().waiting, { interval: 2 }).toBe(1)));
    await mark("waiting");
    await remove("open");
    await before(bench.pass(0));
    await mark("again");
    await before(bench.sealing.prune(true));
    await mark("pruned");
    for (const name of ["sealed", "late", "waiting", "again", "pruned"]) await remove(name);
    await before(bench.sealing.prune(true));
  };
  await Promise.race([life(), crashed.promise]).catch((error: unknown) => {
    if (!dead) throw error;
  });
  dead = true;
  await bench.crash(() => {
    dead = false;
    crashAt = -1;
  });
  bench.sent = null;
  // the sender sends again all that was not acknowledged
  await bench.send([run.root, beside.root, ...run.steps, ...beside.steps]);
  await bench.pass(600_000);
  await bench.sealing.prune(true);
  return { set, removed, doubtful, points };
}

test(
  "a flag that was set or removed before a crash, at whatever point, stays set or removed; a rebuilt catalog has the same rows",
  { timeout: 300_000 },
  async () => {
    const { points } = await live(-1);
    await bench.close();
    expect(points).toBeGreaterThan(30);
    for (let at = Math.floor(Math.random() * every); at < points; at += every) {
      const { set, removed, doubtful } = await live(at);
      const found = await rows();
      const row = found.find((each) => each.run === run.run);
      const hold = set.filter((name) => !removed.includes(name));
      for (const name of hold) if (name !== doubtful) expect(row?.flags, `crashed at ${at}`).toContain(name);
      for (const name of removed) expect(row?.flags, `crashed at ${at}`).not.toContain(name);
      expect(row?.class, `crashed at ${at}`).toBe(row?.flags.length === 0 ? "short" : "keep");
      const rebuilt = createMemoryCatalog();
      await rebuildCatalog({ store: bench.store, catalog: rebuilt, epoch: 0, log: noLog });
      for (const each of found) expect(await rebuilt.get("acme", each.run), `crashed at ${at}`).toEqual(each);
      for await (const key of packKeys(bench.store)) {
        const { runs } = await readPackIndexFrom(bench.store, key);
        if (row?.class === "short" && runs.some((each) => each.run === run.run))
          expect(key, `crashed at ${at}`).toContain("/short/");
      }
      await bench.close();
    }
  },
);
