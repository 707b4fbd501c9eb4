import { decodeValue, encodeValue } from "@reenact/envelope";
import { expect, test } from "vitest";
import { argumentDifferences } from "./typed-arguments.ts";

class Account {
  id: number;
  constructor(id: number) {
    this.id = id;
  }
}
class Order extends Account {}

const same = (a: string, b: string): boolean => a === b;
const differ = (recorded: unknown, now: unknown): number =>
  argumentDifferences(encodeValue(recorded).text, encodeValue(now).text, same).length;

test("an instance that was served is a plain object, and no other argument", () => {
  const served = (value: unknown): unknown => decodeValue(encodeValue(value).text);
  expect(differ([new Account(1)], served([new Account(1)]))).toBe(0);
  expect(differ([{ of: [new Account(1), 2] }], served([{ of: [new Account(1), 2] }]))).toBe(0);
  expect(differ([new Account(1)], served([new Account(2)]))).toBeGreaterThan(0);
  expect(differ([new Account(1)], [new Order(1)])).toBeGreaterThan(0);
});

test("the order of keys is no difference, whatever else is", () => {
  expect(differ([{ a: 1, b: { c: 2, d: 3 } }], [{ b: { d: 3, c: 2 }, a: 1 }])).toBe(0);
  expect(differ([{ a: 1 }], [{ a: 1, b: undefined }])).toBeGreaterThan(0);
  expect(differ([new Map([["a", 1]])], [new Map([["a", 2]])])).toBeGreaterThan(0);
});
