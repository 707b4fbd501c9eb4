import { expect, test } from "vitest";
import { retryAfter } from "./retry-after.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each<[string, string | undefined, number | null]>([
  ["seconds", "7", 7000],
  ["a date", new Date(NOW + 90_000).toUTCString(), 90_000],
  ["more than an hour", "99999999999", 3_600_000],
  ["next to nothing", "0.001", 100],
  ["no time at all", "0", null],
  ["a date that is past, as where a clock is ahead", new Date(NOW - 60_000).toUTCString(), null],
  ["less than nothing", "-5", null],
  ["something else", "soon", null],
  ["nothing", "", null],
  ["no header", undefined, null],
])("Retry-After of %s", (_, header, ms) => {
  expect(retryAfter(header, NOW)).toBe(ms);
});
