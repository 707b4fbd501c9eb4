import { expect, test } from "vitest";
import { uncaughtText } from "./uncaught-text.ts";

test("an error with its members and causes, without stacks", () => {
  const cause = Object.assign(new TypeError("why"), { n: 2 });
  const error = Object.assign(new RangeError("refused", { cause }), { code: "E_X", password: "p" });
  expect(uncaughtText(error)).toBe('RangeError: refused {"code":"E_X","password":"p"}\n[cause] TypeError: why {"n":2}');
  expect(uncaughtText(new Error("plain"))).toBe("Error: plain");
});

test("a value that is no error, with the names of its members", () => {
  expect(uncaughtText({ n: 1, of: ["a"] })).toBe('{"n":1,"of":["a"]}');
  expect(uncaughtText("a text")).toBe("a text");
  expect(uncaughtText(undefined)).toBe("undefined");
  expect(uncaughtText(null)).toBe("null");
});

test("a value without JSON, and one that cannot be read, do not throw", () => {
  const ring: Record<string, unknown> = {};
  ring["self"] = ring;
  for (const odd of [ring, 1n, Symbol("s"), () => 1]) expect(typeof uncaughtText(odd)).toBe("string");
});
