import { expect, test } from "vitest";
import { pairAt } from "../detect/rarity.ts";
import { createPairTable } from "./pair-table.ts";

function stopsIn(text: string, pairs: readonly (readonly [pair: string, value: string])[]): [number, string[]][] {
  const table = createPairTable<string>();
  for (const [pair, value] of pairs) table.add(pairAt(pair, 1), value);
  const stops: [number, string[]][] = [];
  table.walk(text, (_, at, values) => void stops.push([at, [...values]]), null);
  return stops;
}

test("the walk stops at each pair with all of its values, in the order in which they were added", () => {
  const pairs = [
    ["ab", "one"],
    ["cd", "two"],
    ["ab", "three"],
    ["ab", "one"],
  ] as const;
  const text = "ab cd xy ".repeat(20_000);
  const stops = stopsIn(text, pairs);
  expect(stops).toHaveLength(40_000);
  for (const [at, values] of stops) expect(values).toEqual(text[at] === "b" ? ["one", "three"] : ["two"]);
});

test("more sets of values than a byte can number are refused", () => {
  const table = createPairTable<number>();
  const add = (count: number): void => {
    for (let value = 0; value < count; value++) table.add((65 << 8) | value, value);
  };
  add(255);
  expect(() => table.add(pairAt("zz", 1), 255)).toThrow(RangeError);
});
