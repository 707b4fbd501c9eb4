import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { packKeys, readPackIndexFrom } from "./read-packs.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

let bench: Workbench;
afterEach(() => bench.close());

/** `late` of its steps come one by one after it was sealed. */
const lateRun = (n: number, steps: number) =>
  sampleRun(n, { steps, text: (step) => (step < 10 ? randomBytes(20_000).toString("hex") : `late ${step}`) });

async function stored(store: ObjectStore): Promise<number> {
  let bytes = 0;
  for await (const key of packKeys(store)) bytes += (await store.head(key))!.size;
  return bytes;
}
async function holds({ run, root, steps }: SampleRun, count = steps.length) {
  const envelope = await bench.envelope(run);
  expect(envelope?.spans.map(({ span }) => span.spanId).toSorted()).toEqual(
    [root, ...steps.slice(0, count)].map(({ spanId }) => spanId).toSorted(),
  );
}

test("a run with twenty late spans is stored in less than twice its size", async () => {
  bench = await openWorkbench();
  const run = lateRun(1, 30);
  await bench.send([run.root, ...run.steps.slice(0, 10)]);
  await bench.pass(600_000);
  const once = await stored(bench.store);
  for (const step of run.steps.slice(10)) {
    await bench.send([step]);
    await bench.pass(600_000);
    await bench.sealing.prune(true);
  }
  await holds(run);
  expect((await bench.catalog.get("acme", run.run))?.revision).toBe(20);
  expect(await stored(bench.store)).toBeLessThan(2 * once);
});

test("runs that share packs are moved together: at most as much is stored in vain as is needed", async () => {
  bench = await openWorkbench();
  const runs = Array.from({ length: 6 }, (_, n) => lateRun(n, 14));
  for (const { root, steps } of runs) await bench.send([root, ...steps.slice(0, 10)]);
  await bench.pass(600_000);
  const once = await stored(bench.store);
  for (let late = 10; late < 14; late++) {
    for (const [n, { steps }] of runs.entries()) if (n % 2 === late % 2 || n < 2) await bench.send([steps[late]!]);
    await bench.pass(600_000);
    await bench.sealing.prune(true);
    expect(await stored(bench.store)).toBeLessThan(2.1 * once);
  }
  for (const [n, run] of runs.entries()) if (n < 2) await holds(run);
  for (const { run } of runs) expect((await bench.envelope(run))?.spans.length).toBeGreaterThanOrEqual(13);
  // a packs' index and the catalog name the same places
  const rows = (await bench.catalog.find({ filter: { is: "all", of: [] } }, { limit: 100 })).rows;
  for (const { parts, run } of rows) {
    const index = await readPackIndexFrom(bench.store, parts[0]!.key);
    expect(index.runs.find((entry) => entry.run === run)).toMatchObject({ offset: parts[0]!.offset });
  }
});

test.each(Array.from({ length: 9 }, (_, failing) => failing))(
  "a crash after %i steps loses nothing, and what is superseded goes after the restart",
  async (failing) => {
    let left = Infinity;
    const memory = createMemoryStore();
    const step = () => {
      if (left-- > 0) return;
      throw new StoreError("UNAVAILABLE", "store", "it has crashed");
    };
    const store: ObjectStore = {
      ...memory,
      async putIfAbsent(key, body) {
        step();
        const outcome = await memory.putIfAbsent(key, body);
        step();
        return outcome;
      },
      async delete(key) {
        step();
        await memory.delete(key);
        step();
      },
    };
    bench = await openWorkbench({ store });
    const runs = [lateRun(1, 12), lateRun(2, 11), lateRun(3, 10)];
    for (const { root, steps } of runs) await bench.send([root, ...steps.slice(0, 10)]);
    await bench.pass(600_000);
    left = failing;
    await bench.send([runs[0]!.steps[10]!, runs[1]!.steps[10]!]);
    // a pack that cannot be stored is tried for ever
    await Promise.race([bench.pass(600_000, 300), pause(1_000)]);
    await bench.sealing.prune(true);
    await bench.crash();
    left = Infinity;
    await bench.pass(600_000);
    await bench.sealing.prune(true);
    await holds(runs[0]!, 11);
    await holds(runs[1]!);
    await holds(runs[2]!);
    let entries = 0;
    for await (const key of packKeys(memory)) entries += (await readPackIndexFrom(memory, key)).runs.length;
    expect(entries).toBe(3);
  },
);
