import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RetentionClass } from "@reenact/envelope/schema";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open-catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { testCatalog } from "../catalog/test-catalog.test.fixture.ts";
import { noLog } from "../log.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { putPack, runId } from "./packs.test.fixture.ts";
import { isComplete, rebuildCatalog, type RebuildProgress } from "./rebuild-catalog.ts";

let folder: string;
let catalogs: Catalog[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reenact-rebuild-"));
  catalogs = [];
});
afterEach(async () => {
  for (const each of catalogs) await each.close();
  rmSync(folder, { recursive: true, force: true });
});
const open = async (): Promise<Catalog> => {
  const catalog = await openCatalog(testCatalog(join(folder, `${catalogs.length}.sqlite`)));
  catalogs.push(catalog);
  return catalog;
};
const all = { filter: { is: "all", of: [] } } as const;
const rowsOf = async (catalog: Catalog) => (await catalog.find(all, { limit: 1000 })).rows;

/** Counts what is asked of it, and fails the `failAt`-th read of bytes. */
function counting(store: ObjectStore, failAt = Infinity) {
  const asked = { gets: 0, bytes: 0, keys: new Map<string, number>() };
  return {
    asked,
    store: {
      ...store,
      async getRange(key: string, offset: number, length: number) {
        if (++asked.gets > failAt) throw new StoreError("UNAVAILABLE", key, "it went away");
        const bytes = await store.getRange(key, offset, length);
        asked.bytes += bytes.length;
        asked.keys.set(key, (asked.keys.get(key) ?? 0) + 1);
        return bytes;
      },
    },
  };
}

/** So many packs of so many runs; each `flagged`-th run has a copy with a mark in a pack of its own. */
async function filled({ packs, runs, flagged = 0 }: { packs: number; runs: number; flagged?: number }) {
  const store = createMemoryStore();
  for (let pack = 0; pack < packs; pack++) {
    const members = Array.from({ length: runs }, (_, at) => ({ n: pack * runs + at }));
    await putPack(store, members);
    if (flagged === 0) continue;
    for (const { n } of members) if (n % flagged === 0) await putPack(store, [{ n, marks: 1 }], { class: "keep" });
  }
  return store;
}

test("a pack is read with two requests, whatever the number of its runs, and a run that has a flagged copy is not read from its first pack", async () => {
  const { store, asked } = counting(await filled({ packs: 3, runs: 60, flagged: 20 }));
  const catalog = await open();
  const told: RebuildProgress[] = [];
  const done = await rebuildCatalog({ store, catalog, epoch: 1, log: noLog, onProgress: (now) => void told.push(now) });
  // 9 flagged runs are in packs of their own, too
  expect(done).toEqual({ packs: 12, of: 12, runs: 180, unreadable: 0 });
  expect(told.at(-1)).toEqual(done);
  expect(told.map(({ packs }) => packs)).toEqual(told.map(({ packs }) => packs).toSorted((a, b) => a - b));
  // index and runs of each pack, and the index of a copy whose row is there
  expect(asked.gets).toBeLessThanOrEqual(12 * 2 + 9);
  expect(await isComplete(catalog)).toBe(true);
  const rows = await rowsOf(catalog);
  expect(rows.filter(({ class: kept }) => kept === "keep")).toHaveLength(9);
  expect(rows).toHaveLength(180);
});

test("a run whose row the catalog never takes is told of, and keeps no other from having its row", async () => {
  const store = await filled({ packs: 2, runs: 5 });
  const catalog = await open();
  const { apply } = catalog;
  catalog.apply = async (change) => {
    if (change.upsert?.some(({ row }) => row.run === runId(3))) throw new CatalogError("REFUSED", "out of range");
    await apply(change);
  };
  const lines: unknown[] = [];
  const log = (_: string, event: string, fields: object = {}) => void lines.push({ event, ...fields });
  const done = await rebuildCatalog({ store, catalog, epoch: 1, log });
  expect(done).toMatchObject({ packs: 2, runs: 9, unreadable: 1 });
  expect(await rowsOf(catalog)).toHaveLength(9);
  expect(lines).toContainEqual(expect.objectContaining({ event: "catalog.run-unreadable", run: runId(3) }));
});

test("a rebuild that is interrupted again and again goes on where it stopped, reads little twice, and ends with the same rows", async () => {
  const store = await filled({ packs: 60, runs: 2, flagged: 7 });
  const whole = await open();
  const { runs, packs } = await rebuildCatalog({ store, catalog: whole, epoch: 1, log: noLog });
  expect(runs).toBe(120);
  const catalog = await open();
  let gets = 0;
  let epoch = 1;
  let last: RebuildProgress | null = null;
  for (; last === null; epoch++) {
    const flaky = counting(store, 45);
    try {
      last = await rebuildCatalog({ store: flaky.store, catalog, epoch, log: noLog });
    } catch (error) {
      expect(error).toMatchObject({ code: "UNAVAILABLE" });
      expect(await isComplete(catalog)).toBe(false);
    }
    gets += Math.min(45, flaky.asked.gets);
    expect(epoch).toBeLessThan(20);
  }
  expect(epoch).toBeGreaterThan(3);
  expect(last).toEqual({ packs, of: packs, runs, unreadable: 0 });
  // each attempt reads again at most what was in work
  expect(gets).toBeLessThan(packs * 2 + 20 + epoch * 32);
  expect(await rowsOf(catalog)).toEqual(await rowsOf(whole));
});

test("an interrupted rebuild begins again if another collector has owned the store since", async () => {
  const store = await filled({ packs: 30, runs: 1 });
  const [catalog, copy] = [await open(), await open()];
  const cut = counting(store, 50);
  await expect(rebuildCatalog({ store: cut.store, catalog, epoch: 4, log: noLog })).rejects.toThrow("went away");
  const place = (await catalog.cursor("catalog:rebuild"))!;
  await copy.apply({ cursors: { "catalog:rebuild": place } });
  const { after: first } = JSON.parse(place) as { after: string };
  const [again, other] = [counting(store), counting(store)];
  await rebuildCatalog({ store: again.store, catalog, epoch: 5, log: noLog });
  await rebuildCatalog({ store: other.store, catalog: copy, epoch: 6, log: noLog });
  expect(again.asked.keys.has(first)).toBe(false);
  expect(other.asked.keys.has(first)).toBe(true);
  expect(await rowsOf(copy)).toEqual(await rowsOf(catalog));
});

test("of several copies of a run the row is that of the newest revision with the most marks, whatever packs they lie in", async () => {
  const copy = fc.record({
    revision: fc.nat(2),
    marks: fc.nat(2),
    kept: fc.constantFrom<RetentionClass>("short", "sample", "keep"),
    day: fc.integer({ min: 1, max: 28 }),
  });
  const copiesOfOne = fc.uniqueArray(copy, { minLength: 1, maxLength: 5, selector: (each) => JSON.stringify(each) });
  await fc.assert(
    fc.asyncProperty(fc.array(copiesOfOne, { minLength: 1, maxLength: 40 }), async (runs) => {
      const store = createMemoryStore();
      // packs of one content have one name: a copy with other marks took its place
      const put = new Map<string, { n: number; revision: number; marks: number }>();
      for (const [n, copies] of runs.entries()) {
        for (const { revision, marks, kept, day } of copies) {
          const place = { class: kept, day: `2026-11-${String(day).padStart(2, "0")}` };
          put.set(await putPack(store, [{ n, revision, marks }], place), { n, revision, marks });
        }
      }
      const catalog = await openCatalog({ driver: "sqlite", file: ":memory:" });
      try {
        await rebuildCatalog({ store, catalog, epoch: 1, log: noLog });
        for (const n of runs.keys()) {
          const row = (await catalog.get("default", runId(n)))!;
          const there = [...put.values()].filter((each) => each.n === n);
          const newest = Math.max(...there.map(({ revision }) => revision));
          const most = Math.max(...there.flatMap(({ revision, marks }) => (revision === newest ? [marks] : [])));
          expect([row.revision, row.flags.filter((flag) => flag.startsWith("flag ")).length]).toEqual([newest, most]);
        }
      } finally {
        await catalog.close();
      }
    }),
    { numRuns: 4 },
  );
});

test("of two copies of one revision that of all spans counts, and not what an owner read before another one took over", async () => {
  const store = createMemoryStore();
  const pack = (n: number, day: string, spans?: number) =>
    putPack(store, [{ n, ...(spans !== undefined && { spans }) }, { n: 10 + n * 2 + (spans ?? 0) }], { day });
  const [early, late] = ["2026-11-21", "2026-11-22"] as const;
  await pack(0, early, 1);
  await pack(1, late, 1);
  const whole = [await pack(0, late), await pack(1, early)];
  const catalog = await open();
  await rebuildCatalog({ store, catalog, epoch: 1, log: noLog });
  const rows = await Promise.all([0, 1].map((n) => catalog.get("default", runId(n))));
  expect(rows.map((row) => row?.parts.at(-1)?.key)).toEqual(whole);
});

test("a damaged run is logged and the others of its pack get rows; an object that is no pack is passed over", async () => {
  const store = createMemoryStore();
  const key = await putPack(store, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }]);
  const bytes = Buffer.from(await store.getRange(key, 0, 1e6));
  bytes[Math.floor(bytes.length / 8)]! ^= 0xff;
  await store.put(key, bytes);
  await store.put(key.replace(/[0-9a-f]{64}/, "f".repeat(64)), Buffer.from("no pack"));
  const catalog = await open();
  const events: string[] = [];
  const log = (_level: string, event: string) => void events.push(event);
  const done = await rebuildCatalog({ store, catalog, epoch: 1, log });
  expect(done).toMatchObject({ packs: 2, unreadable: 2, runs: 4 });
  expect(events).toEqual(expect.arrayContaining(["catalog.run-unreadable", "catalog.pack-unreadable"]));
  expect(await rowsOf(catalog)).toHaveLength(4);
});

test("a pack of which no run can be read keeps no later pack out of the catalog", async () => {
  const store = createMemoryStore();
  await putPack(store, [{ n: 1 }], { day: "2026-11-02" });
  const key = await putPack(store, [{ n: 2 }], { day: "2026-11-01" });
  const bytes = Buffer.from(await store.getRange(key, 0, 1e6));
  bytes[100]! ^= 0xff;
  await store.put(key, bytes);
  const catalog = await open();
  const done = await rebuildCatalog({ store, catalog, epoch: 1, log: noLog });
  expect(done).toEqual({ packs: 2, of: 2, runs: 1, unreadable: 1 });
  expect((await rowsOf(catalog)).map(({ run }) => run)).toEqual([runId(1)]);
});

test("an unreadable pack that two attempts read is counted once", async () => {
  const store = createMemoryStore();
  const first = await putPack(store, [{ n: 1 }], { day: "2026-11-01" });
  const second = await putPack(store, [{ n: 2 }], { day: "2026-11-02" });
  await store.put(second, Buffer.from("no pack"));
  const catalog = await open();
  const unread = Promise.withResolvers<void>();
  const log = (_level: string, event: string) => void (event === "catalog.pack-unreadable" && unread.resolve());
  const failing: ObjectStore = {
    ...store,
    async getRange(key, offset, length) {
      if (key !== first) return store.getRange(key, offset, length);
      await unread.promise;
      throw new StoreError("UNAVAILABLE", key, "made for this test");
    },
  };
  await expect(rebuildCatalog({ store: failing, catalog, epoch: 1, log })).rejects.toThrow("made for this test");
  const done = await rebuildCatalog({ store, catalog, epoch: 2, log });
  expect(done).toEqual({ packs: 2, of: 2, runs: 1, unreadable: 1 });
});
