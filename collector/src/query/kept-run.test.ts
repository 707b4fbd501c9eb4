import { type ScannedSpan, scanTraces } from "@reenact/envelope";
import { expect, test, vi } from "vitest";
import { requestOf, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { keepLastRun } from "./kept-run.ts";

const there = () => Promise.resolve();
const part = (content: string, length = 100) => ({ revision: 0, content, key: "pack", offset: 0, length });
const spansOf = (n: number, text = "text"): ScannedSpan[] => {
  const { root, steps } = sampleRun(n, { steps: 3, text: () => text });
  return scanTraces(requestOf([root, ...steps]));
};

test("a run in the store is read once as long as it is the last one and the same", async () => {
  const read = vi.fn<Parameters<typeof keepLastRun>[0]>(async () => spansOf(1));
  const { sealed } = keepLastRun(read, there);
  const row = sampleRow({ parts: [part("a")] });
  const [one, two] = await Promise.all([sealed(row), sealed(row)]);
  expect(two).toBe(one);
  for (const other of [
    { ...row, parts: [part("a"), part("b")] },
    { ...row, tenant: "other" },
    { ...row, run: "f".repeat(32) },
  ])
    expect(await sealed(other)).not.toBe(one);
  expect(read).toHaveBeenCalledTimes(4);
});

test("a run that the store has lost since is not shown from memory", async () => {
  const lost = new Error("no such object");
  const { sealed } = keepLastRun(
    async () => spansOf(1),
    () => Promise.reject(lost),
  );
  const row = sampleRow({ parts: [part("a")] });
  expect(await sealed(row)).toHaveLength(4);
  await expect(sealed(row)).rejects.toBe(lost);
});

test("a failed reading and a large run are not kept", async () => {
  const read = vi.fn<Parameters<typeof keepLastRun>[0]>(async () => spansOf(1));
  const { sealed } = keepLastRun(read, there);
  const row = sampleRow({ parts: [part("a")] });
  read.mockRejectedValueOnce(new Error("no store"));
  await expect(sealed(row)).rejects.toThrow("no store");
  const large = sampleRow({ parts: [part("large", 2 ** 30)] });
  expect(await sealed(large)).not.toBe(await sealed(large));
  expect(await sealed(row)).toHaveLength(4);
  expect(read).toHaveBeenCalledTimes(4);
});

test("a run is forgotten ten seconds after it was read", async () => {
  vi.useFakeTimers();
  try {
    const { sealed } = keepLastRun(async () => spansOf(1), there);
    const row = sampleRow({ parts: [part("a")] });
    const first = await sealed(row);
    vi.advanceTimersByTime(9_000);
    expect(await sealed(row)).toBe(first);
    vi.advanceTimersByTime(10_000);
    expect(await sealed(row)).not.toBe(first);
  } finally {
    vi.useRealTimers();
  }
});

test("a run that was read anew keeps its list where no byte of it is another", async () => {
  const { same } = keepLastRun(() => Promise.reject(new Error("it is not in the store")), there);
  const row = sampleRow({ parts: [] });
  const first = await same(row, spansOf(1));
  expect(await same(row, spansOf(1))).toBe(first);
  const changed = spansOf(1, "texu");
  expect(await same(row, changed)).toBe(changed);
  const longer = [...changed, changed[0]!];
  expect(await same(row, longer)).toBe(longer);
});
