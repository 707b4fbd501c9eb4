import { expect, test } from "vitest";
import { hasStreamEnd, streamEvents } from "./stream-events.ts";

test("server-sent events: names, data of several lines, comments, a last one that is cut off", () => {
  const text = "\uFEFF: hello\r\n\r\nevent: a\r\ndata: 1\r\ndata:2\r\nid: 7\r\n\r\nretry: 5\n\ndata\n\ndata: cut";
  expect(streamEvents(text, "text/event-stream; charset=utf-8")).toEqual([
    { name: "a", data: "1\n2" },
    { name: null, data: "" },
    { name: null, data: "cut" },
  ]);
});

test("lines of JSON are events; another type is none", () => {
  expect(streamEvents('{"a":1}\n\n{"a":2}\n', "application/x-ndjson")).toHaveLength(2);
  expect(streamEvents("data: 1", "text/plain")).toBeNull();
});

test("each provider's last event", () => {
  for (const data of ["[DONE]", '{"type":"message_stop"}', '{"type": "response.completed","response":{}}'])
    expect(hasStreamEnd([{ name: null, data }])).toBe(true);
  expect(hasStreamEnd([{ name: null, data: '{"type":"content_block_stop"}' }])).toBe(false);
});
