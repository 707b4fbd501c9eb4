import { describe, expect, test } from "vitest";
import { nameOf } from "./edit.ts";
import { suites } from "./suites.ts";
import { textsOf, textsWith } from "./texts.ts";

// what `npm run mutations` would find out after minutes
describe.each(suites.map((suite) => ({ name: nameOf(suite), suite })))("$name", ({ suite }) => {
  const texts = textsOf(suite);
  const cases = [...suite.edits, ...suite.controls];

  test("each change fits the program", () => {
    const misfits = cases.flatMap((one) => {
      try {
        textsWith(texts, suite, one);
        return [];
      } catch (error) {
        return `${one.name}: ${String(error)}`;
      }
    });
    expect(misfits).toEqual([]);
  });

  test("each edit changes something, and no two cases have one name", () => {
    const idle = suite.edits.filter((one) => {
      const { changes, ...rest } = one;
      const isStartedAlike = !["env", "args", "flags", "run", "release", "cwd"].some((key) => key in rest);
      return isStartedAlike && changes.every(([find, replace]) => find === replace);
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
    const ids = suite.edits.map((one) => `${one.class}: ${one.name}`);
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  });
});
