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

const id = (n: number) => String(n).repeat(32);

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
  const source = createSealedSource({ catalog, filter, tenants, read, clock, log: noLog });
  const put = (n: number, change: Partial<RunRow> = {}) =>
    catalog.apply({ upsert: [{ row: sampleRow({ run: id(n), class: "keep", steps: n, ...change }), text: "" }] });
  const take = async (from: string | null, count: number): Promise<Batch[]> => {
    const taken: Batch[] = [];
    for await (const batch of source.batches(from, stop.signal)) {
      taken.push(batch);
      if (taken.length === count) break;
    }
    return taken;
  };
  return { put, take, slept };
}
const spansOf = async (row: RunRow) => scanTraces(sampleTraces(row.steps));
const idsOf = (batches: readonly Batch[]) => batches.map(({ spans }) => spans.map((each) => each.spanId));

test("runs that fit come in the order in which they were sealed, those flagged later when they were", async () => {
  const { put, take } = setUp(spansOf);
  await put(2);
  await put(3, { class: "short" });
  await put(1);
  const first = await take(null, 2);
  expect(idsOf(first)).toEqual([[spanId(2)], [spanId(1)]]);
  await put(3);
  expect(idsOf(await take(first[1]!.next, 1))).toEqual([[spanId(3)]]);
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
  expect(idsOf(await take(null, 4))).toEqual([[spanId(1)], [], [], [spanId(4)]]);
  expect(slept).toEqual([2000, 4000, 8000]);
});

test("a run that cannot be read for good is passed over after some tries", async () => {
  const { put, take, slept } = setUp(async (row) => {
    if (row.steps === 1) throw new StoreError("DAMAGED", "get", "torn");
    return spansOf(row);
  });
  await put(1);
  await put(2);
  expect(idsOf(await take(null, 2))).toEqual([[], [spanId(2)]]);
  expect(slept.length).toBeLessThan(25);
});
