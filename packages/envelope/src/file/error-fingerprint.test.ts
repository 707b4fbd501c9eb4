import { describe, expect, test } from "vitest";
import { type ErrorIdentity, errorFingerprint, sameText } from "./error-fingerprint.ts";

const error = (message: string, given: Partial<ErrorIdentity> = {}): ErrorIdentity => ({
  class: "Error",
  name: "Error",
  op: null,
  message,
  ...given,
});

const SAME: readonly (readonly [string, string])[] = [
  ["order 7781 was not found", "order 12 was not found"],
  ["took 1.25 s, allowed are 1,000", "took 30 s, allowed are 5"],
  ["no user EMAIL_abcd_qwertyuiopasdfgh", "no user EMAIL_abcd_hgfdsapoiuytrewq"],
  ["no user ann@example.com", "no user b.o+x@mail.example.org"],
  ["request req_7f3aB9x01Q failed", "request req_99ZZtop1a2 failed"],
  ["run 3f1c2b9e-6d4a-4f8b-9a57-0e2d1c3b4a59 is gone", "run 00000000-6d4a-4f8b-9a57-0e2d1c3b4a50 is gone"],
  ["connect ECONNREFUSED 127.0.0.1:4318", "connect ECONNREFUSED 10.0.0.17:80"],
  ["connect ECONNREFUSED [::1]:4318", "connect ECONNREFUSED [fe80::1]:80"],
  ["getaddrinfo db-3.internal.example.com:5432", "getaddrinfo db-4.internal.example.com:5433"],
  ["GET https://api.example.com/v1/a?k=1 answered 503", "GET http://localhost:8080/b answered 503"],
  ["ENOENT: no such file, open '/home/ann/a b.txt'", "ENOENT: no such file, open '/srv/app-2/a b.txt'"],
  ["ENOENT: open 'C:\\Users\\ann\\a.txt'", "ENOENT: open 'D:\\work\\b.txt'"],
  ["at 0x7ffe01 in malloc", "at 0x10 in malloc"],
  ["not before 2026-11-28T00:10:56.123Z", "not before 2025-01-01 10:00"],
  ["first line\n    at a (file:///a.js:1:2)", "first line\n    at b (file:///b.js:9:9)"],
];
const OTHER: readonly (readonly [ErrorIdentity, ErrorIdentity])[] = [
  [error("order was not found"), error("user was not found")],
  [error("x", { class: "TypeError" }), error("x")],
  [error("x", { code: "ECONNRESET" }), error("x", { code: "EPIPE" })],
  [error("x", { op: "tool:refund" }), error("x", { op: "tool:look_up" })],
  [error("GET https://a.example/1 answered 404"), error("GET https://a.example/2 answered 503")],
  [error("HTTP 429: try again in 3 s"), error("HTTP 500: try again in 3 s")],
  [error("Request failed with status code 404"), error("Request failed with status code 400")],
  [error("429 Rate limit reached"), error("401 Incorrect key")],
  [error("look_up_orders failed"), error("cancel_the_order failed")],
];

describe("two errors are the same", () => {
  test.each(SAME)("%j and %j", (one, other) => {
    expect(sameText(one)).toBe(sameText(other));
    expect(errorFingerprint(error(one))).toBe(errorFingerprint(error(other)));
  });
});

test.each(OTHER)("they are not: %j and %j", (one, other) => {
  expect(errorFingerprint(one)).not.toBe(errorFingerprint(other));
});

test("what names a thing stays, and a hostile message takes no time", () => {
  expect(sameText("tool look_up_orders of gpt-4o: TimeoutError")).toBe("tool look_up_orders of gpt<n>o: TimeoutError");
  const began = performance.now();
  for (const text of [
    "a-".repeat(500_000),
    "/a".repeat(500_000),
    "1.".repeat(500_000),
    "a@".repeat(500_000),
    "a1".repeat(1e6),
  ])
    expect(sameText(text).length).toBeLessThanOrEqual(300);
  expect(performance.now() - began).toBeLessThan(1000);
});
