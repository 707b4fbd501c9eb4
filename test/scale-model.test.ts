import { expect, test } from "vitest";
import { ASSUMED, sizesOf } from "./bench/scale-model.ts";

const run = { wireBytes: 40_000, storedBytes: 5_000, catalogBytes: 1_000, cpuSeconds: 0.01 };

test("sizes are those that a hand computes", () => {
  const sizes = sizesOf(run, { ...ASSUMED, runsPerDay: 864_000, peak: 2, sampleShare: 0.1, keepShare: 0.2 });
  expect(sizes).toMatchObject({ runsPerSecond: 20, bytesPerSecond: 800_000 });
  expect(sizes.processors).toBeCloseTo(0.4, 9);
  // 40 kB, three copies, one day
  expect(sizes.topicBytes).toBe(864_000 * 120_000);
  // 0.7 × 30 days, 0.1 × 180, 0.2 × 365
  expect(sizes.keptRuns).toBeCloseTo(864_000 * (21 + 18 + 73), 3);
  expect(sizes.storeBytes / sizes.catalogBytes).toBeCloseTo(5, 9);
  // 65 full ones, and one a minute for each of 12 partitions and 3 classes
  expect(sizes.packsPerDay).toBe(Math.ceil((864_000 * 5_000) / 67_108_864 + 12 * 3 * 1_440));
});

test("a pack for each run is the most that a small collector writes", () => {
  expect(sizesOf(run, { ...ASSUMED, runsPerDay: 100 }).packsPerDay).toBe(101);
});
