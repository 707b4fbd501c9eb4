import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepView } from "../step/step-view.ts";
import { stepView as anyStep } from "../step/step-view.test.fixture.ts";
import { diffSteps, longestRising } from "./run-diff.ts";

function stepView(step: number, name: string, given: Partial<StepView> = {}): StepView {
  const call = { slot: `tool:${name}|0`, name, input: `[{"q":"${name}"}]`, output: '"found"' };
  return anyStep(step, { ...call, ...given });
}

const steps = (...names: string[]): StepView[] => names.map((name, at) => stepView(at + 1, name));
const short = (before: StepView[], after: StepView[]): unknown[] =>
  diffSteps(before, after).map((row) => [row.status, row.before, row.after]);

test("equal runs are the same, step by step", () => {
  expect(short(steps("a", "b"), steps("a", "b"))).toEqual([
    ["same", 1, 1],
    ["same", 2, 2],
  ]);
});

test("a step more, less, and at another place", () => {
  expect(short(steps("a", "b", "c"), steps("a", "x", "c"))).toEqual([
    ["same", 1, 1],
    ["added", null, 2],
    ["removed", 2, null],
    ["same", 3, 3],
  ]);
  expect(short(steps("a", "b", "c"), steps("c", "a", "b"))).toEqual([
    ["moved", 3, 1],
    ["same", 1, 2],
    ["same", 2, 3],
  ]);
});

test("a changed step names the first difference of each part", () => {
  const before = stepView(1, "search", { input: '[{"q":"one","limit":1}]' });
  const after = stepView(1, "search", {
    input: '[{"limit":2,"q":"two"}]',
    status: "error",
    error: "none",
    output: null,
  });
  expect(diffSteps([before], [after])[0]).toMatchObject({
    status: "changed",
    changes: [
      { part: "input", pointer: "/0/q", before: "one", after: "two" },
      { part: "output", pointer: "", before: "found", after: null },
      { part: "status", before: "ok", after: "error: none" },
    ],
  });
});

test("how much had come of an answer that neither program has read is no difference", () => {
  const exchange = (status: number) =>
    ({
      exchange: { response: { status, reason: "", headers: [] }, end: "cancelled" },
    }) as unknown as StepView["record"];
  const left = (given: Partial<StepView>): StepView =>
    stepView(1, "chat", {
      kind: "LLM",
      answer: "part",
      settle: null,
      status: "error",
      record: exchange(429),
      ...given,
    });
  const came = left({ error: "too many requests", output: '{"error":{"message":"too many requests"}}' });
  const none = left({ error: "HTTP 429", output: "" });
  expect(diffSteps([came], [none])[0]).toMatchObject({ status: "same" });
  expect(diffSteps([came], [left({ record: exchange(503) })])[0]).toMatchObject({ status: "changed" });
  expect(diffSteps([came], [{ ...none, settle: 3 }])[0]).toMatchObject({ status: "changed" });
});

test("of a model call the messages are compared, not the ids that are new each time", () => {
  const call = (id: string, question: string, temperature: number): StepView =>
    stepView(1, "openai.chat", {
      kind: "LLM",
      input: JSON.stringify({
        model: "m",
        temperature,
        messages: [
          { role: "assistant", content: null, tool_calls: [{ id, function: { name: "f", arguments: "{}" } }] },
          { role: "tool", tool_call_id: id, content: question },
        ],
      }),
      output: JSON.stringify({ id: `chatcmpl-${id}`, choices: [{ message: { role: "assistant", content: "yes" } }] }),
    });
  expect(diffSteps([call("call_1", "ok", 0)], [call("call_2", "ok", 0)])[0]?.status).toBe("same");
  expect(diffSteps([call("call_1", "ok", 0)], [call("call_2", "no", 1)])[0]?.changes).toEqual([
    { part: "input", pointer: "/0", before: "f: ok", after: "f: no" },
    { part: "parameters", pointer: "/temperature", before: 0, after: 1 },
  ]);
});

test("every step of both runs is in exactly one row, in the order of the later run", () => {
  const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(names, names, (was, is) => {
      const numbered = (list: string[]): StepView[] =>
        list.map((name, at) =>
          stepView(at + 1, name, { slot: `${name}|${list.slice(0, at).filter((n) => n === name).length}` }),
        );
      const rows = diffSteps(numbered(was), numbered(is));
      expect(rows.flatMap((row) => row.after ?? [])).toEqual(is.map((_, at) => at + 1));
      expect(rows.flatMap((row) => row.before ?? []).toSorted((a, b) => a - b)).toEqual(was.map((_, at) => at + 1));
      const unmoved = rows.filter(({ status }) => status === "same" || status === "removed").map((row) => row.before);
      expect(unmoved).toEqual(unmoved.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }),
  );
});

test("a longest rising row is rising, and no shorter than one that a slow search finds", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 12 }), (numbers) => {
      const row = longestRising(numbers).map((at) => numbers[at] as number);
      expect(row).toEqual(row.toSorted((a, b) => a - b));
      const lengths: number[] = [];
      numbers.forEach((number, at) => {
        lengths[at] = 1 + Math.max(0, ...lengths.filter((_, i) => (numbers[i] as number) < number));
      });
      expect(row).toHaveLength(Math.max(0, ...lengths));
    }),
  );
});
