import { createScrubber } from "@reenact/redaction";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Filter,
  LIST_FIELDS,
  type ListField,
  NUMBER_FIELDS,
  TEXT_FIELDS,
  type TextField,
} from "../catalog/filter.ts";
import { matches } from "../catalog/matches.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { formatFilter } from "./format-filter.ts";
import { parseMoment } from "./moment.ts";
import { parseFilter } from "./parse-filter.ts";
import { redactFilter } from "./redact-filter.ts";

const value = fc.oneof(fc.constantFrom("ok", "agent", 'a"b', "\\", "x y", "*", "-", "or"), fc.string());
const field = fc.constantFrom<TextField | ListField>(...TEXT_FIELDS, ...LIST_FIELDS);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ is: fc.constant("one-of" as const), field, values: fc.array(value, { maxLength: 3 }) }),
    fc.record({ is: fc.constant("starts" as const), field, prefix: value }),
    fc.record({
      is: fc.constant("number" as const),
      field: fc.constantFrom(...NUMBER_FIELDS),
      op: fc.constantFrom("<", "<=", "=", ">=", ">"),
      value: fc.constantFrom(0, 1, 0.5, 1000, 1_763_800_000_000),
    }),
    fc.record({ is: fc.constant("complete" as const), value: fc.boolean() }),
    fc.record({ is: fc.constant("words" as const), text: value }),
    fc.record({ is: fc.constant("not" as const), of: tie("filter") }),
    fc.record({ is: fc.constantFrom("all" as const, "any" as const), of: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));

test("what is written is read again as the same question", () => {
  const rows = [
    sampleRow(),
    sampleRow({ user: "x y", tags: ['a"b', "*"], status: "failed", cost: 0.5, complete: false, steps: 0 }),
  ];
  fc.assert(
    fc.property(filter, (each) => {
      const read = parseFilter(formatFilter(each));
      for (const row of rows) expect(matches(read, row, "ok or x y")).toBe(matches(each, row, "ok or x y"));
    }),
    { numRuns: 400 },
  );
});

test("a user is found by name though the catalog holds a token only, and the name is not in what is asked", () => {
  const by = { key: Buffer.alloc(32, 7) };
  const scrubber = createScrubber(by);
  const redact = (text: string) => scrubber.scrub(text).text;
  const token = redact("alice@example.com");
  expect(token).toMatch(/^EMAIL_[a-z]{4}_[a-z]{16}$/);
  const asked = redactFilter(parseFilter('user:alice@example.com "wrote alice@example.com" status:ok'), by);
  expect(formatFilter(asked)).not.toContain("alice");
  const text = redact("she wrote alice@example.com a letter");
  expect(matches(asked, sampleRow({ user: token }), text)).toBe(true);
  expect(matches(asked, sampleRow({ user: redact("bob@example.com") }), text)).toBe(false);
});

test("a moment finds the runs that were under way then", () => {
  const at = (time: string) => Date.parse(time);
  const fits = (started: string, ended: string | null) =>
    matches(
      parseMoment("2026-11-20T16:00Z±1h"),
      sampleRow({ started: at(started), ended: ended === null ? null : at(ended) }),
      "",
    );
  expect(fits("2026-11-20T14:00Z", "2026-11-20T14:30Z")).toBe(false);
  expect(fits("2026-11-20T14:00Z", "2026-11-20T15:30Z")).toBe(true);
  expect(fits("2026-11-20T16:30Z", "2026-11-20T19:30Z")).toBe(true);
  expect(fits("2026-11-20T17:30Z", "2026-11-20T19:30Z")).toBe(false);
  expect(fits("2026-11-20T10:00Z", null)).toBe(true);
  expect(parseMoment("2026-11-20T16:00Z +- 15m")).toEqual(parseMoment("2026-11-20T16:00Z"));
  expect(() => parseMoment("soon")).toThrow("soon is no moment");
  expect(() => parseMoment("2026-11-20±x")).toThrow("is no moment");
});
