import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStartGate } from "./start-gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<void>(() => {});

/** Milliseconds until the port may open, in steps of 100; null: not in 20 s. */
async function opensAfter(gate: ReturnType<typeof createStartGate>, begun = never): Promise<number | null> {
  let isOpen = false;
  void gate.open(begun).then(() => (isOpen = true));
  for (let ms = 0; ms <= 20_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(ms === 0 ? 0 : 100);
    if (isOpen) return ms;
  }
  return null;
}

test("the port opens at once where all is there, or a store or a catalog is known to be away", async () => {
  expect(await opensAfter(createStartGate(), Promise.resolve())).toBe(0);
  const away = createStartGate();
  away.store("away");
  expect(await opensAfter(away)).toBe(0);
  const noFile = createStartGate();
  noFile.catalog("opening", "disk I/O error");
  expect(await opensAfter(noFile)).toBe(0);
});

test("a store that says nothing is waited for three seconds, an owner that is asked eight, a rebuild one", async () => {
  expect(await opensAfter(createStartGate())).toBe(3_000);
  const asking = createStartGate();
  asking.store("asking");
  expect(await opensAfter(asking)).toBe(8_000);
  const rebuilding = createStartGate();
  rebuilding.catalog("waiting", null);
  rebuilding.catalog("rebuilding", null);
  expect(await opensAfter(rebuilding)).toBe(1_000);
});

test("what refuses the start in time keeps the port closed", async () => {
  await expect(createStartGate().open(Promise.reject(new Error("TAKEN")))).rejects.toThrow("TAKEN");
});
