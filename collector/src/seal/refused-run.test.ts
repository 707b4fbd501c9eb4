import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePackKey } from "@reenact/envelope/pack";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { LogFields } from "../log.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { StoreError } from "../store/store-error.ts";
import { packKeys, readPackIndexFrom } from "./read-packs.ts";
import { UNSEALED_PREFIX } from "./set-aside.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

let bench: Workbench;
afterEach(() => bench.close());

const RUNS = 9;
const runs = Array.from({ length: RUNS }, (_, n) => sampleRun(n + 1));
const bad = runs[4]!;

test("a run that the catalog never takes is set aside by name; those in its pack, and all behind it, are sealed", async () => {
  const lines: { event: string; fields: LogFields }[] = [];
  bench = await openWorkbench({ log: (_, event, fields = {}) => lines.push({ event, fields }) });
  const { apply } = bench.catalog;
  bench.catalog.apply = async (change) => {
    if (change.upsert?.some(({ row }) => row.run === bad.run)) throw new CatalogError("REFUSED", "out of range");
    await apply(change);
  };
  for (const { steps, root } of runs) await bench.send([...steps, root]);
  await bench.pass(600_000);
  const sealed = await Promise.all(runs.map(({ run }) => bench.envelope(run)));
  expect(sealed.flatMap((each, n) => (each?.complete === true ? [] : [n]))).toEqual([4]);
  const aside = lines.filter(({ event }) => event === "seal.set-aside").map(({ fields }) => fields);
  expect(aside).toMatchObject([{ run: bad.run, error: { code: "REFUSED" } }]);
  const kept: string[] = [];
  for await (const { key } of bench.store.list(UNSEALED_PREFIX)) kept.push(key);
  expect(kept).toHaveLength(1);
  // no pack with the run stays, which a rebuilding or the next start would stumble over
  const packed: string[] = [];
  for await (const key of packKeys(bench.store))
    packed.push(...(await readPackIndexFrom(bench.store, key)).runs.map(({ run }) => run));
  expect(packed.toSorted()).toEqual(runs.flatMap(({ run }) => (run === bad.run ? [] : [run])).toSorted());
  expect(bench.assembler.share.cursor()).toEqual(bench.journal.durable());
  const next = sampleRun(RUNS + 1);
  await bench.send([...next.steps, next.root]);
  await bench.pass(600_000);
  expect((await bench.envelope(next.run))?.complete).toBe(true);
  await bench.crash();
  expect(bench.sealing.counts().runs).toBe(0);
});

test("a pack in the store that is not what its name says stops nobody: its runs go to others", async () => {
  const store = createMemoryStore();
  bench = await openWorkbench({
    store: {
      ...store,
      putIfAbsent: async (key, body) => {
        if (parsePackKey(key) && taken === null) await store.put((taken = key), Buffer.from("damaged"));
        return store.putIfAbsent(key, body);
      },
    },
  });
  let taken: string | null = null;
  for (const { steps, root } of runs.slice(0, 2)) await bench.send([...steps, root]);
  await bench.pass(600_000);
  for (const { run } of runs.slice(0, 2)) expect((await bench.envelope(run))?.complete).toBe(true);
  expect(taken).not.toBeNull();
});

test("a pack that was left by a crash and cannot be read does not keep the collector from starting", async () => {
  const lines: string[] = [];
  bench = await openWorkbench({ log: (_, event) => lines.push(event) });
  const [run] = runs as [(typeof runs)[0]];
  await bench.send([...run.steps, run.root]);
  await bench.pass(600_000);
  const whole = (await bench.catalog.get("acme", run.run))!.parts[0]!.key;
  const left = whole.replace(/[0-9a-f]{8}(?=[^0-9a-f]*$)/, "00000000");
  expect(left).not.toBe(whole);
  await bench.store.put(left, Buffer.from("not a pack"));
  const packs = join(dirname(bench.journalFolder), "packs");
  await bench.crash(() => writeFileSync(join(packs, left.replaceAll("/", "+")), ""));
  expect(lines).toContain("seal.pack-refused");
  expect(readdirSync(packs)).toEqual([]);
  expect((await bench.envelope(run.run))?.complete).toBe(true);
});

test("a store behind a proxy that answers with a 404 of its own is waited for", async () => {
  const store = createMemoryStore();
  const lines: string[] = [];
  let left = 3;
  bench = await openWorkbench({
    log: (_, event) => lines.push(event),
    store: {
      ...store,
      putIfAbsent: async (key, body) => {
        if (parsePackKey(key) && left-- > 0) throw new StoreError("NO_OBJECT", `put ${key}`, "NotFound (404)");
        return store.putIfAbsent(key, body);
      },
    },
  });
  const [run] = runs as [(typeof runs)[0]];
  await bench.send([...run.steps, run.root]);
  await bench.pass(600_000);
  expect((await bench.envelope(run.run))?.complete).toBe(true);
  expect(lines).not.toContain("seal.pack-refused");
});
