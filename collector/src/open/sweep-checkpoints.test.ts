import { expect, test } from "vitest";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { CHECKPOINTS_PREFIX, pointerName } from "./own-partition.ts";
import { sweepCheckpoints } from "./sweep-checkpoints.ts";

test("checkpoints that no owner committed go after a day; the one that is named, and all where none is, stay", async () => {
  const [store, catalog] = [createMemoryStore(), createMemoryCatalog()];
  const [id, other] = ["a".repeat(32), "b".repeat(32)] as [string, string];
  const key = (of: string, partition: number, name: string) => `${CHECKPOINTS_PREFIX}${of}/${partition}/${name}`;
  const name = (next: number, epoch: number) => `${String(next).padStart(16, "0")}-${epoch}`;
  const fenced = key(id, 0, name(70, 1));
  const current = key(id, 0, name(60, 2));
  const stays = [current, key(id, 1, name(5, 1)), key(other, 0, name(9, 1))];
  for (const each of [fenced, key(id, 0, name(20, 2)), ...stays]) await store.put(each, Buffer.from("x"));
  await catalog.apply({ cursors: { [pointerName(id, 0)]: JSON.stringify({ key: current, next: 60 }) } });
  expect(await sweepCheckpoints(store, catalog, { id, now: Date.now() })).toBe(0);
  expect(await sweepCheckpoints(store, catalog, { id, now: Date.now() + 90_000_000 })).toBe(2);
  const left: string[] = [];
  for await (const each of store.list(CHECKPOINTS_PREFIX)) left.push(each.key);
  expect(left).toEqual(stays.toSorted());
});
