import { createScrubber, StreamDigest, type TextFacts } from "@reenact/redaction";
import { expect, test } from "vitest";
import { isSameIn } from "../effects/output.ts";
import { valuesInClear } from "./clear-values.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const tokenOf = (value: string): string => scrubber.tokenOf?.("AUTH", value) ?? "";
const translate = (token: string): string => token;
const isValue = (token: string, type: string, value: string): boolean => scrubber.tokenOf?.(type, value) === token;
const found = (recorded: string, now: string): number | null => valuesInClear(recorded, now, { translate, isValue });
const [dark, light] = [tokenOf("dark"), tokenOf("a; b")];

test.each([
  ["one value", "theme=dark; Path=/", `theme=${dark}; Path=/`, 1],
  ["a value at the end", "theme=dark", `theme=${dark}`, 1],
  ["a value that holds what follows it", "x=a; b; y=dark", `x=${light}; y=${dark}`, 2],
  ["tokens on both sides", `sid=${light}, theme=dark`, `sid=${light}, theme=${dark}`, 1],
  ["nothing but equal text", "theme=dark", "theme=dark", 0],
  ["another value", "theme=bright; Path=/", `theme=${dark}; Path=/`, null],
  ["another text beside it", "theme=dark; Path=/", `theme=${dark}; Path=/a`, null],
  ["another text before it", "theme=dark", `colour=${dark}`, null],
  ["nothing in its place", "theme=", `theme=${dark}`, null],
  ["a value that is clear now", `theme=${dark}`, "theme=dark", null],
])("%s", (_, recorded, now, count) => {
  expect(found(recorded, now)).toBe(count);
});

test("a token of another key stands for no value that is known", () => {
  const other = createScrubber({ key: Buffer.alloc(32, 6) }).tokenOf?.("AUTH", "dark") ?? "";
  expect(found("theme=dark", `theme=${other}`)).toBeNull();
});

function factsOf(text: string): TextFacts {
  const digest = new StreamDigest(scrubber);
  digest.write(text);
  return digest.end();
}

test("outputs are compared so as far as their lines are kept", () => {
  const lines = {
    recorded: (line: string) => line,
    now: (line: string) => line,
    isSame: (recorded: string, now: string) => found(recorded, now) !== null,
  };
  const isSame = (recorded: string, now: string): boolean =>
    isSameIn(factsOf(recorded), factsOf(now), translate, lines);
  expect(isSame("a\ntheme=dark\nb\n", `a\ntheme=${dark}\nb\n`)).toBe(true);
  expect(isSame("a\ntheme=dark\nb\n", `a\ntheme=${dark}\nc\n`)).toBe(false);
  expect(isSame("a\ntheme=dark\nb\n", `a\ntheme=${dark}\nb`)).toBe(false);
  const rows = "row\n".repeat(30_000);
  expect(isSame(`${rows}theme=${dark}\n`, `${rows}theme=${light}\n`)).toBe(false);
});
