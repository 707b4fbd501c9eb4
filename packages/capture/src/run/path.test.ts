import { expect, it } from "vitest";
import { discriminator, join, Occurrences } from "./path.ts";

it("encodes what separates", () => {
  expect(discriminator("a/b|c#d%e")).toBe("a%2Fb%7Cc%23d%25e");
  expect(join("", "tool:x")).toBe("tool:x");
  expect(join("planner", "tool:x")).toBe("planner/tool:x");
});

it("counts occurrences per path and operation", () => {
  const n = new Occurrences();
  expect([
    n.next("", "openai.chat"),
    n.next("", "openai.chat"),
    n.next("a", "openai.chat"),
    n.next("", "tool:x"),
  ]).toEqual([0, 1, 0, 0]);
});
