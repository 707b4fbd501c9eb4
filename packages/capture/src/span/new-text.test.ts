import { expect, test } from "vitest";
import { NewText } from "./new-text.ts";
import type { Step } from "./step.ts";

const sent = (requestBody: string | Uint8Array | null, answer = 0): Step =>
  ({ exchange: { requestBody, chunks: [new Uint8Array(answer)] }, call: null }) as unknown as Step;
const turn = (n: number, ...more: string[]): string =>
  JSON.stringify({
    model: "m",
    messages: ["x".repeat(100_000), ...Array.from({ length: n }, (_, i) => `turn ${i}`), ...more],
    tools: ["y".repeat(50_000)],
  });

test("what a conversation repeats is not new, before and behind its messages", () => {
  const text = new NewText();
  expect(text.of(sent(turn(1)))).toBe(turn(1).length);
  expect(text.of(sent(turn(2), 30))).toBeLessThan(60);
  expect(text.of(sent(turn(3, "z".repeat(70_000))))).toBeGreaterThan(70_000);
});

test("conversations beside each other are told apart, as text and as bytes", () => {
  const text = new NewText();
  const of = (name: string, n: number): Uint8Array =>
    Buffer.from(`${"a".repeat(20_000)}${name.repeat(9000)}${turn(n)}`);
  for (const name of ["one", "two", "three"]) expect(text.of(sent(of(name, 1)))).toBeGreaterThan(100);
  for (let n = 2; n < 5; n++)
    for (const name of ["one", "two", "three"]) expect(text.of(sent(of(name, n)))).toBeLessThan(20);
});

test("another text of the same length is new where it differs", () => {
  const text = new NewText();
  const base = "q".repeat(40_000);
  text.of(sent(base));
  expect(text.of(sent(`${base.slice(0, 10_000)}!${base.slice(10_001)}`))).toBe(1);
  expect(text.of(sent(`!${base.slice(2)}!`))).toBe(40_000);
  expect(text.of(sent(base.slice(1)))).toBe(0);
});

test("small bodies and calls count whole", () => {
  const text = new NewText();
  expect(text.of(sent("abc", 4))).toBe(7);
  expect(text.of(sent(null, 4))).toBe(4);
  const call = { args: "12", result: "345", error: null, yields: ["6"] };
  expect(text.of({ exchange: null, call } as unknown as Step)).toBe(6);
});
