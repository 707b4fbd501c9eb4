import { expect, test } from "vitest";
import { QuietCount } from "./quiet-count.ts";

function count(quarters: string): number {
  const counted = new QuietCount();
  for (const each of quarters) counted.add({ isQuiet: each !== "m", sleeps: each !== "b" });
  return counted.quarters;
}

test("quarters in which nothing moves and nothing computes are counted", () => {
  expect(count("zzzz")).toBe(4);
});

test("a single busy quarter does not begin the count anew", () => {
  expect(count("zzzzbzzbz")).toBe(7);
});

test("two busy quarters in turn, or a movement, begin it anew", () => {
  expect(count("zzzzbbz")).toBe(1);
  expect(count("zzzzmz")).toBe(1);
});
