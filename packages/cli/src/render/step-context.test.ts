import type { StepContext } from "@reenact/view";
import { expect, test } from "vitest";
import { printContext } from "./step-context.ts";

const text = (
  status: StepContext["texts"][number]["status"],
  kind: "system prompt" | "result" | "user message",
  value: string,
  was: string | null = null,
) => ({
  status,
  read: { kind, step: kind === "result" ? 2 : null, name: kind === "result" ? "look" : "", text: value },
  was,
});

const context: StepContext = {
  step: 3,
  before: 1,
  continues: false,
  length: 40,
  lengthBefore: 50,
  texts: [
    text("changed", "system prompt", "You answer politely.", "You answer briefly."),
    text("removed", "user message", "x".repeat(30)),
    text("added", "result", "\u001b[31mfour thousand EMAIL"),
    text("kept", "user message", "hello"),
  ],
};
const shown = (given: Partial<StepContext> = {}) =>
  printContext({ ...context, ...given }, (_colour, line) => line, "7f3a91").split("\n");

test("each text with its share of the whole and what became of it", () => {
  const lines = shown();
  expect(lines[0]).toBe("step 3 read 3 texts, 40 characters: 10 fewer than at step 1");
  expect(lines[2]).toBe(`~ ${"█".repeat(10).padEnd(20)}       20  system prompt`);
  expect(lines[3]).toContain("{+politely+}");
  expect(lines[4]).toBe(`- ${" ".repeat(20)}       30  user message`);
  expect(lines[6]).toContain("result look of step 2");
  expect(lines[7]).toContain("four thousand");
  expect(lines[7]).not.toContain("\u001b");
  // what it had read before is not printed again
  expect(lines[8]).toMatch(/^= █+ +5 {2}user message$/);
  expect(lines.join("\n")).toContain("Next: reenact show 7f3a91 --step 3 · reenact explain 7f3a91 3");
});

test("at the first call of a conversation all is new, which is not said of each text", () => {
  const lines = shown({ before: null, lengthBefore: null, texts: [text("added", "user message", "hello")] });
  expect(lines[0]).toContain("the first call of its conversation");
  expect(lines.slice(2, 4)).toEqual([expect.stringMatching(/^ {2}█/), "    hello"]);
});
