import { expect, test } from "vitest";
import { count, dollars, duration, oneLine, safe } from "./plain-text.ts";

test("escapes and control characters of others do not reach a terminal", () => {
  const bad =
    "a\u001b[31mred\u001b[0m \u001b]0;title\u0007b\u001b]8;;http://x\u001b\\link \u009b2J \u0007\u0008\r\u202e.\u001bc";
  const shown = safe(bad);
  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(shown).toContain("ared blink");
  expect(safe("tab\tand\nline stay, Grüße 世界 🌍")).toBe("tab\tand\nline stay, Grüße 世界 🌍");
});

test("one line is one line, and not too long", () => {
  expect(oneLine("a\n b\r\n\tc", 10)).toBe("a b c");
  expect(oneLine("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
});

test("durations and counts are for people", () => {
  expect([duration(12.4), duration(1500), duration(125_000)]).toEqual(["12 ms", "1.5 s", "2 min 5 s"]);
  expect([count(1, "step"), count(18_402, "token")]).toEqual(["1 step", "18,402 tokens"]);
  expect([count(1, "delivery"), count(2, "delivery"), count(2, "day")]).toEqual([
    "1 delivery",
    "2 deliveries",
    "2 days",
  ]);
});

test("amounts of money have cents, and small ones what is left of them", () => {
  expect([0, 0.5, 12, 0.1, 0.05, 0.0613, 0.0012345].map(dollars)).toEqual([
    "$0.00",
    "$0.50",
    "$12.00",
    "$0.10",
    "$0.05",
    "$0.0613",
    "$0.00123",
  ]);
  expect(dollars(1e-9)).toBe("under $0.000001");
});
