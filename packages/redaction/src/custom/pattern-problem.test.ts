import { describe, expect, test } from "vitest";
import { patternProblem } from "./pattern-problem.ts";

describe("allowed", () => {
  test.each([
    String.raw`\bE-[0-9]{6}\b`,
    "(?:foo|foobar)[0-9]{1,8}",
    "[A-Za-z0-9]{1,64}-[a-z]{1,64}",
    String.raw`(?<![\w-])case [A-Z]{2,4}\d{4,12}(?!\d)`,
    String.raw`ID:\s{0,4}\p{Lu}{3}\u{1F600}?x\x41B`,
    "[^\\]\\n]{1,80}\\]",
    "(?<year>20[0-9]{2})/[0-9]{5}",
  ])("%s", (pattern) => {
    expect(patternProblem({ pattern })).toBeNull();
    expect(patternProblem({ pattern, ignoreCase: true })).toBeNull();
  });
});

describe("refused, with the reason", () => {
  test.each([
    ["[a-z]+x", /"\+" at offset 5 has no upper bound/],
    ["x.*y", /"\*" at offset 2 has no upper bound/],
    ["a{3,}", /no upper bound/],
    ["(a)b\\1", /back reference at offset 4/],
    ["(?<n>a)\\k<n>", /back reference/],
    ["(?=ab)a", /look-around at offset 0/],
    ["(?:a{0,9}){0,9}b", /may be empty/],
    ["(?:a{1,9}){1,9}b", /too many ways/],
    ["(?:a|a){1,30}b", /too many ways/],
    ["(?:a|ab|b){1,40}c", /too many ways/],
    ["[a-z]{1,64}[a-z0-9]{1,64}[0-9]{1,9}@", /too many ways/],
    ["a?", /empty text/],
    ["x{2000}", /2000 characters/],
    ["(", /Unterminated|Invalid/i],
    ["[z-a]", /Invalid/i],
    ["(?i:a)b", /not understood/],
  ])("%s", (pattern, why) => {
    expect(patternProblem({ pattern })).toMatch(why);
  });

  test("case is folded before ways are counted", () => {
    expect(patternProblem({ pattern: "(?:a|A){1,30}b" })).toBeNull();
    expect(patternProblem({ pattern: "(?:a|A){1,30}b", ignoreCase: true })).toMatch(/too many ways/);
  });
});

test("what is allowed is linear, whatever the text", () => {
  const pattern = "[a-z0-9]{1,64}-[a-z]{1,64}[0-9]{1,9}!";
  expect(patternProblem({ pattern })).toBeNull();
  const expression = new RegExp(pattern, "gu");
  const time = (text: string): number => {
    const started = process.cpuUsage();
    expect([...text.matchAll(expression)]).toEqual([]);
    return process.cpuUsage(started).user / 1000;
  };
  for (const piece of ["a", "a-a", "a-a1", "a1-"]) {
    time(piece.repeat(1000));
    const short = time(piece.repeat(20_000));
    // twenty times the text; a quadratic search would take four hundred times as long
    expect(time(piece.repeat(400_000)) / Math.max(short, 2)).toBeLessThan(80);
  }
});
