import { expect, test } from "vitest";
import { topicLimits } from "./kafka-topic.ts";

test.each([
  ["604800000", 604_800_000],
  ["0", 0],
  ["-1", Infinity],
  [undefined, Infinity],
  [null, Infinity],
  ["", Infinity],
])("a topic with a retention of %j keeps records for %d ms, and for ever where the brokers do not tell", (text, ms) => {
  expect(topicLimits((name) => (name === "retention.ms" ? text : "2")).retentionMs).toBe(ms);
});

test("what the brokers do not tell is no promise", () => {
  expect(topicLimits(() => null)).toEqual({ minInSync: 0, maxBytes: 1_048_588, retentionMs: Infinity });
});
