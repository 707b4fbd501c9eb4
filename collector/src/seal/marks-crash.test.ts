import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { EVERYTHING } from "../catalog/filter.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import { noLog } from "../log.ts";
import { createOpenRuns } from "../open-runs.ts";
import { rebuildCatalog } from "../rebuild/rebuild-catalog.ts";
import { createRunKeeper } from "../run-keeper.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

/** Of every so many points one is crashed at, another one each time. */
const EVERY: Readonly<Record<string, number>> = { small: 15, ci: 2, full: 1 };
const every = EVERY[process.env["TEST_SCALE"] ?? "small"] ?? 15;
/** Sent before anything that is said, so that the two lie in one pack. */
const [beside, run] = [sampleRun(1), sampleRun(2)];
let bench: Workbench;
afterEach(() => bench.close());

const rows = async () => (await bench.catalog.find({ filter: EVERYTHING }, { limit: 100 })).rows;

async function flag({ run: id }: SampleRun, name: string): Promise<void> {
  const open = createOpenRuns(bench.assembler, bench.journal, bench.sealing);
  const row = (await bench.catalog.get("acme", id)) ?? (await open.rows("acme")).find((each) => each.run === id);
  if (!row) throw new Error("nothing is known of the run");
  await createRunKeeper(bench.sealing, bench.journal, () => []).say(row, { kind: "flag", name, at: bench.time++ });
}

/** Crashes at the point with this number; resolves to the flags that were answered, and how many points there were. */
async function live(crashAt: number): Promise<{ answered: string[]; points: number }> {
  let [points, dead] = [0, false];
  const crashed = Promise.withResolvers<never>();
  crashed.promise.catch(() => {});
  bench = await openWorkbench({
    point() {
      dead ||= points++ === crashAt;
      if (!dead) return;
      crashed.reject(new Error("it has crashed"));
      throw new Error("it has crashed");
    },
  });
  const answered: string[] = [];
  const say = async (name: string) => {
    await flag(run, name);
    answered.push(name);
  };
  const life = async () => {
    await bench.send([...beside.steps, ...run.steps.slice(0, 2)]);
    await bench.settled();
    await say("open");
    await flag(beside, "beside");
    await bench.send([run.root, beside.root]);
    await bench.pass(600_000);
    await say("sealed");
    await bench.send(run.steps.slice(2));
    await bench.settled();
    await say("late spans are open");
    bench.time += 600_000;
    bench.assembler.tick();
    await expect.poll(() => bench.sealing.counts().waiting, { interval: 2 }).toBe(1);
    await say("a revision waits for its pack");
    await bench.pass(0);
    await say("sealed again");
    await bench.sealing.prune(true);
    await say("pruned");
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
  // what was not acknowledged is sent again
  await bench.send([run.root, beside.root, ...run.steps, ...beside.steps]);
  await bench.pass(600_000);
  await bench.sealing.prune(true);
  return { answered, points };
}

test(
  "a flag that was answered survives a crash at every point, and a rebuilt catalog says the same",
  { timeout: 300_000 },
  async () => {
    const { points } = await live(-1);
    await bench.close();
    expect(points).toBeGreaterThan(30);
    for (let at = Math.floor(Math.random() * every); at < points; at += every) {
      const { answered } = await live(at);
      const found = await rows();
      const row = found.find((each) => each.run === run.run);
      expect(row?.flags, `crashed at ${at}`).toEqual(expect.arrayContaining(answered));
      if (answered.length > 0) expect(row?.class).toBe("keep");
      const rebuilt = createMemoryCatalog();
      await rebuildCatalog({ store: bench.store, catalog: rebuilt, epoch: 0, log: noLog });
      for (const each of found) expect(await rebuilt.get("acme", each.run), `crashed at ${at}`).toEqual(each);
      await bench.close();
    }
  },
);
