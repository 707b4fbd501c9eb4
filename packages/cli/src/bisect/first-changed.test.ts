import fc from "fast-check";
import { expect, test } from "vitest";
import { firstChanged, type Shown } from "./first-changed.ts";

test("the first changed revision is found, with no more tries than a binary search needs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (length, drawn) => {
      const first = drawn % length;
      const tried: number[] = [];
      const { candidates } = await firstChanged(length, async (at) => {
        tried.push(at);
        return at < first ? "same" : "changed";
      });
      expect(candidates).toEqual([first]);
      expect(new Set(tried).size).toBe(tried.length);
      expect(tried.length).toBeLessThanOrEqual(Math.ceil(Math.log2(length)) + 1);
    }),
  );
});

test("where revisions cannot be tested the answer holds the first changed one, and nothing that was ruled out", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), fc.nat(), async (testable, drawn) => {
      const first = drawn % testable.length;
      const seen = new Map<number, Shown>();
      const { candidates } = await firstChanged(testable.length, async (at) => {
        const shown = !testable[at] ? "untestable" : at < first ? "same" : "changed";
        seen.set(at, shown);
        return shown;
      });
      expect(candidates).toContain(first);
      const others = candidates.slice(0, -1);
      expect(others.every((at) => seen.get(at) === "untestable")).toBe(true);
    }),
  );
});

test("a search that is stopped has all that is left", async () => {
  expect(await firstChanged(8, async () => null)).toEqual({ candidates: [0, 1, 2, 3, 4, 5, 6, 7] });
});
