import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeTraces, type OtlpSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { diffRuns } from "./run-diff.ts";

const golden = readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact"));
const envelope = readEnvelope(golden);
const RUN = envelope.id;

/** The golden run with some of its spans changed; null takes a span away. */
function changed(change: (span: OtlpSpan) => OtlpSpan | null) {
  const pieces = envelope.spans.flatMap(({ span, scanned }) => {
    const other = change(structuredClone(span));
    return other === null ? [] : [encodeTraces(other, scanned)];
  });
  return { run: RUN, spans: scanTraces(Buffer.concat(pieces)) };
}
const same = changed((span) => span);
const second = "00000000000000b1";

test("a run is the same as itself, whatever the order of its spans", () => {
  const diff = diffRuns(same, { run: RUN, spans: same.spans.toReversed() });
  expect([diff.same, diff.first, diff.complete]).toEqual([true, null, true]);
  expect(diff.steps.map(({ is, a, b }) => [is, a, b])).toEqual([
    ["same", 1, 1],
    ["same", 2, 2],
    ["same", 3, 3],
  ]);
});

test("a changed step names its parts and the places in them", () => {
  const other = changed((span) => {
    if (span.spanId !== second) return span;
    const body = JSON.parse(span.attributes["input.value"] as string) as { messages: { content: string }[]; new?: 1 };
    body.messages[0]!.content = "other";
    body.new = 1;
    return { ...span, attributes: { ...span.attributes, "input.value": JSON.stringify(body) } };
  });
  const diff = diffRuns(same, other);
  expect([diff.same, diff.first]).toEqual([false, 2]);
  const places = ["/messages/0/content", "/new"];
  expect(diff.steps[2]).toMatchObject({
    is: "changed",
    slot: "guide|openai.chat|1",
    changes: [
      { part: "input", pointers: places },
      { part: "request", pointers: places },
    ],
  });
});

test("what only one run has stands where it was, and a failure is a change", () => {
  const without = changed((span) => (span.spanId === second ? null : span));
  expect(diffRuns(same, without).steps.map(({ is }) => is)).toEqual(["same", "same", "only-a"]);
  expect(diffRuns(without, same).steps.map(({ is, b }) => [is, b])).toEqual([
    ["same", 1],
    ["same", 2],
    ["only-b", 3],
  ]);
  const failed = changed((span) => (span.spanId === second ? { ...span, status: { code: 2, message: "no" } } : span));
  expect(diffRuns(same, failed).steps[2]?.changes.map(({ part }) => part)).toEqual(["status", "failure"]);
});
