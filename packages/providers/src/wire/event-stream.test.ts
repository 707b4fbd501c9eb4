import { expect, test } from "vitest";
import { readEventStream } from "./event-stream.ts";

test.each(["\n", "\r\n", "\r"])("reads events whose lines end in %j", (end) => {
  const stream = [": a comment", "event: one", 'data: {"a":', "data: 1}", "", 'data:{"b":2}', "", ""].join(end);
  expect(readEventStream(stream)).toEqual([
    { name: "one", value: { a: 1 } },
    { name: null, value: { b: 2 } },
  ]);
});

test("ends at [DONE] and skips what is no JSON", () => {
  expect(readEventStream("data: 1\n\ndata: nope\n\ndata: [DONE]\n\ndata: 2\n\n")).toEqual([{ name: null, value: 1 }]);
});

test("takes a last event that was cut off only if its data is whole", () => {
  expect(readEventStream('data: {"a":1}')).toEqual([{ name: null, value: { a: 1 } }]);
  expect(readEventStream('data: {"a":1}\n\ndata: {"a":')).toHaveLength(1);
});

test("skips a byte order mark", () => {
  expect(readEventStream("\uFEFFdata: 1\n\n")).toHaveLength(1);
});
