import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStartGate } from "./start-gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<void>(() => {});

/** Milliseconds until the port may open, in steps of 100; null: it stays closed for 20 s. */
async function opensAfter(gate: ReturnType<typeof createStartGate>, begun = never): Promise<number | null> {
  let isOpen = false;
  void gate.open(begun).then(() => (isOpen = true));
  for (let ms = 0; ms <= 20_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(ms === 0 ? 0 : 100);
    if (isOpen) return ms;
  }
  return null;
}

test("the port opens at once if store and catalog are there, or if one of them does not answer", async () => {
  expect(await opensAfter(createStartGate(), Promise.resolve())).toBe(0);
  const away = createStartGate();
  away.store("away");
  expect(await opensAfter(away)).toBe(0);
  const noFile = createStartGate();
  noFile.catalog("opening", "disk I/O error");
  expect(await opensAfter(noFile)).toBe(0);
});

test("the port waits three seconds for a silent store, eight for the answer of its last owner, one for a rebuild", async () => {
  expect(await opensAfter(createStartGate())).toBe(3_000);
  const asking = createStartGate();
  asking.store("asking");
  expect(await opensAfter(asking)).toBe(8_000);
  const rebuilding = createStartGate();
  rebuilding.catalog("waiting", null);
  rebuilding.catalog("rebuilding", null);
  expect(await opensAfter(rebuilding)).toBe(1_000);
});

test("the port stays closed if the start is refused before it opens", async () => {
  await expect(createStartGate().open(Promise.reject(new Error("TAKEN")))).rejects.toThrow("TAKEN");
});
