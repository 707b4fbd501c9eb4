import { decodeSpan, scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { transcodeJson } from "./json-traces.ts";

const span = (n: number, value: unknown, more: object = {}) => ({
  traceId: "0123456789abcdef0123456789abcdef",
  spanId: n.toString(16).padStart(16, "0"),
  name: `span ${n}`,
  attributes: [{ key: "k", value }],
  ...more,
});
const bodyOf = (...spans: unknown[]) => Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
const valuesOf = (bytes: Uint8Array) =>
  scanTraces(transcodeJson(bytes).body).map((each) => decodeSpan(each.span).attributes["k"]);

test.each([
  ["a number beyond 64 bits", '{"intValue":100000000000000000000}', 1e20],
  ["written with an exponent", '{"intValue":1e300}', 1e300],
  ["below", '{"intValue":-9223372036854775809}', -(2 ** 63)],
  ["as text", '{"intValue":"99999999999999999999"}', 1e20],
])("a whole number that only a double holds is kept as one: %s", (_, value, expected) => {
  const text = bodyOf(span(1, "VALUE")).toString().replace('"VALUE"', value);
  expect(valuesOf(Buffer.from(text))).toEqual([expected]);
});

test("the largest and the least of 64 bits stay whole numbers", () => {
  const most = bodyOf(span(1, { intValue: "9223372036854775807" }), span(2, { intValue: "-9223372036854775808" }));
  expect(valuesOf(most).map(String)).toEqual(["9223372036854775807", "-9223372036854775808"]);
});

test.each([
  ["bytes that are no base64", span(1, { bytesValue: "***" }), "is no base64"],
  ["a time below zero", span(1, {}, { startTimeUnixNano: "-1" }), "startTimeUnixNano is out of range"],
  [
    "a time beyond 64 bits",
    span(1, {}, { endTimeUnixNano: "18446744073709551616" }),
    "endTimeUnixNano is out of range",
  ],
  ["a count beyond 32 bits", span(1, {}, { droppedAttributesCount: 2 ** 32 }), "out of range"],
  ["a kind beyond 32 bits", span(1, {}, { kind: 99_999_999_999 }), "kind is out of range"],
])("%s is refused, and not taken for something else", (_, each, why) => {
  expect(() => transcodeJson(bodyOf(each))).toThrow(why);
});

test.each([
  ["base64", "aGk/", "aGk/"],
  ["of the other alphabet", "-_8", "+/8="],
])("bytes in %s", (_, given, expected) => {
  const [value] = valuesOf(bodyOf(span(1, { bytesValue: given })));
  expect(Buffer.from(value as Uint8Array).toString("base64")).toBe(expected);
});

const inLists = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((value: unknown) => ({ arrayValue: { values: [value] } }), { stringValue: "x" });
const inMaps = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((value: unknown) => ({ kvlistValue: { values: [{ key: "k", value }] } }), {
    stringValue: "x",
  });

test.each([
  ["lists", inLists],
  ["maps", inMaps],
])("a span whose %s go too deep is left out alone", (_, nested) => {
  for (const depth of [150, 1000]) {
    const { body, rejected, why } = transcodeJson(bodyOf(span(1, nested(3)), span(2, nested(depth)), span(3, {})));
    expect(scanTraces(body)).toHaveLength(2);
    expect([rejected, why]).toEqual([1, "values nested deeper than 64"]);
  }
  expect(transcodeJson(bodyOf(span(1, nested(64)))).rejected).toBe(0);
});
