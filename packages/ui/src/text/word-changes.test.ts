import { expect, test } from "vitest";
import { wordChanges } from "./word-changes.ts";

const shown = (was: string, is: string) =>
  wordChanges(was, is)
    .map(({ added, removed, value }) => (added ? `[+${value}]` : removed ? `[-${value}]` : value))
    .join("");

test("a word that was replaced stands beside the new one", () => {
  expect(shown("it was sent on Monday.", "it was sent on Friday.")).toBe("it was sent on [-Monday][+Friday].");
});

test("words that were replaced one after another are one change", () => {
  expect(shown("TimeoutError: the carrier did not answer", "delivered on Monday")).toBe(
    "[-TimeoutError: the carrier did not answer][+delivered on Monday]",
  );
});

test("each text can be read back from the changes", () => {
  const [was, is] = ["  a b  c\nd e", " a x  c\n\nd  f "];
  const parts = wordChanges(was, is);
  const without = (kind: "added" | "removed") =>
    parts.filter((part) => !part[kind]).reduce((text, { value }) => text + value, "");
  expect([without("added"), without("removed")]).toEqual([was, is]);
});

test("two texts with little in common are one change", () => {
  const words = (name: string) => Array.from({ length: 500 }, (_, n) => `${name}${n}`).join(" ");
  expect(wordChanges(words("a"), words("b")).map(({ added, removed }) => [added, removed])).toEqual([
    [false, true],
    [true, false],
  ]);
});
