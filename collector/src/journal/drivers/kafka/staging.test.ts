import { expect, test } from "vitest";
import { createMemoryStore } from "../../../store/memory-store.ts";
import { stagedKey, sweepStaging } from "./staging.ts";

const DAY = 86_400_000;

test("bodies go once the brokers keep their records no longer, and the same body of a later day stays", async () => {
  const store = createMemoryStore();
  const now = Date.parse("2026-11-28T12:00:00Z");
  const keys = [40, 16, 14, 1].map((days) => stagedKey("a".repeat(64), now - days * DAY));
  for (const key of keys) await store.put(key, Buffer.from("body"));
  await store.put("v1/runs/other", Buffer.from("no body"));
  const left = async () => (await Promise.all(keys.map((key) => store.head(key)))).map((head) => head !== null);
  expect(await sweepStaging(store, { retentionMs: Infinity, now })).toBe(0);
  expect(await sweepStaging(store, { retentionMs: 7 * DAY, now })).toBe(2);
  expect(await left()).toEqual([false, false, true, true]);
  expect(await sweepStaging(store, { retentionMs: 0, now: now + 40 * DAY })).toBe(2);
  expect(await store.head("v1/runs/other")).not.toBeNull();
});
