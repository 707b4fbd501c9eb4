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

test("what redaction finds in a signature is not compared: each request has another one", () => {
  const signed = (key: string): string =>
    `AWS4-HMAC-SHA256 Credential=${key}/20150830/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=fe5f80f77d5fa3beca038a248ff027d0`;
  const recorded = scrub("authorization", signed("AKIAQ3EXAMPLE7CANARY")).text;
  const compared = compareHeaders(
    [["authorization", recorded]],
    [["authorization", signed("a-key-of-this-machine")]],
    scrub,
    (a, b) => a === b,
  );
  expect(compared).toEqual({ differences: [], places: [], transport: [] });
});
