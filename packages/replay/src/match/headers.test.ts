import { createScrubber } from "@reenact/redaction";
import { expect, test } from "vitest";
import { compareHeaders } from "./headers.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const scrub = (name: string, value: string) => scrubber.scrub(value, { key: name });
const ADDRESS = "grace.hopper@navy.example.com";
const redacted = (value: string): [string, string] => ["x-on-behalf-of", scrub("x-on-behalf-of", value).text];

test("a redacted value of an equal header has its place, whose marks tell another spelling", () => {
  const marksOf = (value: string): string | undefined =>
    compareHeaders([redacted(ADDRESS)], [["x-on-behalf-of", value]], scrub, (a, b) => a === b).places[0]?.marks;
  expect(marksOf(ADDRESS)).toBe(marksOf(ADDRESS));
  expect(marksOf(ADDRESS.toUpperCase())).toBeDefined();
  expect(marksOf(ADDRESS.toUpperCase())).not.toBe(marksOf(ADDRESS));
});

test("a header with another value differs", () => {
  const { differences } = compareHeaders([["x-team", "a"]], [["x-team", "b"]], scrub, (a, b) => a === b);
  expect(differences).toEqual([{ of: "header", pointer: "/x-team", recorded: "a", now: "b" }]);
});
