import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, plainSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { firstAndLastLine } from "../catalog/first-and-last-line.ts";
import { runViewOf, stepItemsOf } from "./run-view.ts";
import { viewAnswer } from "./view-schema.ts";

const golden = readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact"));
const envelope = readEnvelope(golden);
const spans = envelope.spans.map(({ scanned }) => scanned);
const page = { after: 0, limit: 100 };
const ok = { run: envelope.id, error: null };

test("a recorded run: steps as the command line counts them, with what each adds to the conversation", () => {
  const view = runViewOf(ok, spans.toReversed(), page);
  expect([view.total, view.next, view.cause, view.failed]).toEqual([2, null, null, []]);
  expect(view.steps.map(({ step, kind, depth, attempt }) => [step, kind, depth, attempt])).toEqual([
    [1, "LLM", 0, 0],
    [2, "LLM", 0, 0],
  ]);
  const { question, answer, redacted, steps } = view;
  expect(steps[1]!.output).toEqual([{ is: "text", role: "assistant", name: null, text: "Reykjavík", length: 9 }]);
  expect([answer, redacted > 0]).toEqual(["Reykjavík", true]);
  expect(question).toBe(steps[0]!.input.find(({ role }) => role === "user")!.text);
  expect(viewAnswer.shape.steps.safeParse(steps).success).toBe(true);
});

test("pages have each step once, and say of all of them which failed", () => {
  const first = runViewOf(ok, spans, { after: 0, limit: 1 });
  expect([first.steps.map(({ step }) => step), first.total, first.next]).toEqual([[1], 2, 1]);
  const second = runViewOf(ok, spans, { after: 1, limit: 1 });
  expect([second.steps.map(({ step }) => step), second.next]).toEqual([[2], null]);
});

/** A run of another instrumentation. */
function foreign(calls: readonly { input: string; output: string; failed?: string }[]) {
  const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };
  const traceId = "c".repeat(32);
  const made = calls.map(({ input, output, failed }, n) =>
    plainSpan({
      traceId,
      spanId: (n + 1).toString(16).padStart(16, "0"),
      name: "chat",
      startUnixNano: BigInt(1000 - n) * 1_000_000n,
      endUnixNano: 2_000_000_000n,
      status: { code: failed === undefined ? 1 : 2, message: failed ?? "" },
      attributes: { "openinference.span.kind": "LLM", "input.value": input, "output.value": output },
    }),
  );
  return { spans: made, scanned: made.flatMap((span) => scanTraces(encodeTraces(span, origin))), run: traceId };
}

test("long texts are cut with their length, never within a character; one step has more of them", () => {
  const long = `${"x".repeat(1999)}🌍${"y".repeat(100_000)}`;
  const { run, scanned } = foreign([{ input: "go", output: long }]);
  const [item] = runViewOf({ run, error: null }, scanned, page).steps[0]!.output;
  expect([item!.text, item!.length]).toEqual(["x".repeat(1999), long.length]);
  expect(stepItemsOf(run, scanned, "1")!.output[0]!.text).toHaveLength(64 * 1024);
  expect(stepItemsOf(run, scanned, "0000000000000001")).toEqual(stepItemsOf(run, scanned, "1"));
  expect(stepItemsOf(run, scanned, "2")).toBeNull();
});

test("the failure of a run leads to its step", () => {
  const { run, scanned } = foreign([
    { input: "b", output: "", failed: "no such order" },
    { input: "a", output: "fine" },
  ]);
  const view = runViewOf({ run, error: { class: "Error", message: "no such order" } }, scanned, page);
  expect([view.cause, view.failed, view.question]).toEqual([{ step: 2, certain: true }, [2], "a"]);
});

test("question and answer of the list are one line each, by the time of the calls, not by their order of arrival", () => {
  const { spans } = foreign([
    { input: "last?", output: `one\n two${" three".repeat(200)}` },
    { input: "first?\n\nreally", output: "early" },
  ]);
  const { question, answer } = firstAndLastLine(spans);
  expect(question).toBe("first? really");
  expect(answer).toMatch(/^one two three/);
  expect(answer).toHaveLength(300);
  expect(firstAndLastLine([])).toEqual({ question: null, answer: null });
});
