import { scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { noLog } from "../log.ts";
import { StoreError } from "../store/store-error.ts";
import { sampleTraces, spanId } from "./sample-traces.test.fixture.ts";
import { createSealedSource } from "./sealed-source.ts";
import type { Batch } from "./source.ts";

const id = (n: number) => n.toString(16).padStart(32, "0");

function setUp(read: (row: RunRow) => Promise<ReturnType<typeof scanTraces>>, tenants?: readonly string[]) {
  const catalog = createMemoryCatalog();
  const slept: number[] = [];
  const stop = new AbortController();
  const clock = {
    now: () => 0,
    sleep: async (ms: number) => {
      slept.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const filter = { is: "one-of", field: "class", values: ["keep"] } as const;
  const source = createSealedSource({
    complete: Promise.resolve(),
    catalog,
    destination: "sink",
    filter,
    tenants,
    read,
    clock,
    log: noLog,
  });
  const part = (content: string) => [{ revision: 0, content: content.padEnd(64, "0"), key: "k", offset: 0, length: 1 }];
  const put = (n: number, change: Partial<RunRow> = {}) =>
    catalog.apply({
      upsert: [{ row: sampleRow({ run: id(n), class: "keep", steps: n, parts: part(`a${n}`), ...change }), text: "" }],
    });
  const take = async (from: string | null, count: number): Promise<Batch[]> => {
    const taken: Batch[] = [];
    for await (const batch of source.batches(from, stop.signal)) {
      taken.push(batch);
      await catalog.apply({ cursors: batch.notes ?? {} });
      if (taken.length === count) break;
    }
    return taken;
  };
  return { put, take, slept, part, catalog };
}
const spansOf = async (row: RunRow) => scanTraces(sampleTraces(row.steps));
const idsOf = (batches: readonly Batch[]) => batches.map(({ spans }) => spans.map((each) => each.spanId));

test("runs that fit come in the order in which they were sealed, those flagged later when they were", async () => {
  const { put, take } = setUp(spansOf);
  await put(2);
  await put(3, { class: "short" });
  await put(1);
  const first = await take(null, 1);
  expect(idsOf(first)).toEqual([[spanId(2), spanId(1)]]);
  await put(3);
  expect(idsOf(await take(first[0]!.next, 1))).toEqual([[spanId(3)]]);
});

test("600 small runs come in few batches", async () => {
  const { put, take } = setUp(spansOf);
  for (let n = 1; n <= 600; n++) await put(n);
  const batches = await take(null, 3);
  expect(batches.map(({ spans }) => spans.length)).toEqual([200, 200, 200]);
});

test("a run that comes again brings only spans that are new or changed, after a restart too", async () => {
  let names = ["a", "b"];
  let reads = 0;
  const { put, take, part, catalog } = setUp(async () => {
    reads++;
    return names.flatMap((name, at) => scanTraces(sampleTraces(at + 1, { name })));
  });
  await put(7);
  const [first] = await take(null, 1);
  expect(idsOf([first!])).toEqual([[spanId(1), spanId(2)]]);
  // flagged: the row changes, the spans do not, and the store is not asked
  await put(7, { flags: ["look"] });
  const [flagged] = await take(first!.next, 1);
  expect([flagged!.spans, reads]).toEqual([[], 1]);
  names = ["a", "b, changed", "late"];
  await put(7, { revision: 1, parts: part("b") });
  const [second] = await take(flagged!.next, 1);
  expect(idsOf([second!])).toEqual([[spanId(2), spanId(3)]]);
  // from the first row on again, as after a rebuild of the rows: nothing is sent twice
  expect((await take(null, 1))[0]!.spans).toEqual([]);
  await catalog.apply({ remove: [{ tenant: "default", run: id(7) }] });
  expect(await catalog.cursor(`run:default/${id(7)}:sent-sink`)).toBeNull();
});

test("what has been read does not wait for a run that cannot be, and is due since it was seen", async () => {
  let away = true;
  const { put, take } = setUp(async (row) => {
    if (row.steps === 2 && away) throw new StoreError("UNAVAILABLE", "get", "away");
    return spansOf(row);
  });
  await put(1, { received: -1000 });
  await put(2);
  const [first] = await take(null, 1);
  expect(idsOf([first!])).toEqual([[spanId(1)]]);
  expect(first).toMatchObject({ receivedAt: -1000, dueSince: 0 });
  away = false;
  expect(idsOf(await take(first!.next, 1))).toEqual([[spanId(2)]]);
});

test("a store that is away is waited for; a run that expired, or of another tenant, is passed over", async () => {
  let away = 3;
  const { put, take, slept } = setUp(
    async (row) => {
      if (row.steps === 1 && away-- > 0) throw new StoreError("UNAVAILABLE", "get", "away");
      if (row.steps === 2) throw new StoreError("NO_OBJECT", "get", "expired");
      return spansOf(row);
    },
    ["default"],
  );
  await put(1);
  await put(2);
  await put(3, { tenant: "other" });
  await put(4);
  expect(idsOf(await take(null, 2))).toEqual([[spanId(1)], [spanId(4)]]);
  expect(slept).toEqual([2000, 4000, 8000]);
});

test("a run that cannot be read for good is passed over after some tries", async () => {
  const { put, take, slept } = setUp(async (row) => {
    if (row.steps === 1) throw new StoreError("DAMAGED", "get", "torn");
    return spansOf(row);
  });
  await put(1);
  await put(2);
  expect(idsOf(await take(null, 1))).toEqual([[spanId(2)]]);
  expect(slept.length).toBeLessThan(25);
});
