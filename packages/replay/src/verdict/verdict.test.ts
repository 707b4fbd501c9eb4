import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const readme = read("../../README.md");

/** The texts of a union type of a source file. */
function namesOf(file: string, type: string): string[] {
  const [, body = ""] = new RegExp(`type ${type} =([^;]*);`).exec(read(file)) ?? [];
  return [...body.matchAll(/"([a-z-]+)"/g)].map(([, name = ""]) => name);
}

test.each([
  ["verdict.ts", "CallVerdict"],
  ["verdict.ts", "Finding"],
])("the README explains every name of %s, %s", (file, type) => {
  const names = namesOf(file, type);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !readme.includes(`| \`${name}\` | `))).toEqual([]);
});

test("the README explains every verdict of another run", () => {
  const names = namesOf("judged-runs.ts", "RunVerdict");
  expect(names.filter((name) => name.startsWith("not-") && !readme.includes(`\`${name}\` (`))).toEqual([]);
});
