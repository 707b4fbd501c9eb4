import { expect, test } from "vitest";
import { readJson, writeJson } from "./json.ts";

test("numbers that JavaScript would round keep their literal", () => {
  const source = '{"id":9007199254740993123,"price":1e400,"small":1.5,"n":3}';
  expect(writeJson(readJson(source))).toBe(source);
});

test("no JSON is undefined, a value without JSON is empty", () => {
  expect(readJson("{")).toBeUndefined();
  expect(writeJson(undefined)).toBe("");
  const deep: unknown[] = [];
  deep.push(deep);
  expect(writeJson(deep)).toBe("");
});

test("__proto__ is a key like any other", () => {
  expect(Object.hasOwn(readJson('{"__proto__":1}') as object, "__proto__")).toBe(true);
});
