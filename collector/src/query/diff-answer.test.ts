import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeTraces, type OtlpSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { diffRuns } from "@reenact/view";
import { expect, test } from "vitest";
import { diffAnswerOf } from "./diff-answer.ts";
import { runViewOf } from "./run-view.ts";

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
const withInput = (change: (body: { messages: { content: string }[]; temperature?: number }) => void) =>
  changed((span) => {
    if (span.spanId !== second) return span;
    const body = JSON.parse(span.attributes["input.value"] as string) as Parameters<typeof change>[0];
    change(body);
    return { ...span, attributes: { ...span.attributes, "input.value": JSON.stringify(body) } };
  });

test("a run is the same as itself, whatever the order of its spans, and its steps have the numbers of its view", () => {
  const diff = diffAnswerOf(same, { run: RUN, spans: same.spans.toReversed() });
  expect([diff.first, diff.summary, diff.complete]).toEqual([null, null, true]);
  const { steps } = runViewOf({ run: RUN, error: null }, same.spans, { after: 0, limit: 100 });
  expect(steps).toHaveLength(2);
  expect(diff.rows.map(({ status, before, after }) => [status, before, after])).toEqual(
    steps.map(({ step }) => ["same", step, step]),
  );
  const { rows, first, summary } = diffRuns(envelope, envelope);
  expect(diff).toEqual({ rows, first, summary, complete: true });
});

test("a changed step names the first place of each part that differs, with both values", () => {
  const long = "x".repeat(5000);
  const [was, is] = [long, `${long} and more`].map((text) =>
    withInput((body) => {
      body.messages[0]!.content = text;
      if (text !== long) body.temperature = 1;
    }),
  );
  const diff = diffAnswerOf(was!, is!);
  expect(diff.first).toBe(1);
  expect(diff.summary).toMatch(/^step 2 \S+ has another (system prompt|input)/);
  const [text, parameter] = diff.rows[1]!.changes;
  expect(text?.before).toEqual({ text: "x".repeat(200), from: 4800, length: 5000 });
  expect(text?.after).toEqual({ text: `${"x".repeat(200)} and more`, from: 4800, length: 5009 });
  expect(parameter).toEqual({
    part: "parameters",
    pointer: "/temperature",
    before: null,
    after: { text: "1", from: 0, length: 1 },
  });
});

test("what only one run has stands where it was, and a failure is a change", () => {
  const without = changed((span) => (span.spanId === second ? null : span));
  expect(diffAnswerOf(same, without).rows.map(({ status }) => status)).toEqual(["same", "removed"]);
  expect(diffAnswerOf(without, same).rows.map(({ status, after }) => [status, after])).toEqual([
    ["same", 1],
    ["added", 2],
  ]);
  const failed = changed((span) => (span.spanId === second ? { ...span, status: { code: 2, message: "no" } } : span));
  expect(diffAnswerOf(same, failed).rows[1]?.changes.map(({ part }) => part)).toContain("status");
});
