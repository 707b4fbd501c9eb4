import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadText } from "../explain/read-texts.ts";
import { stepView } from "../step/step-view.test.fixture.ts";
import type { StepView } from "../step/step-view.ts";
import { alignedTexts } from "./align-texts.ts";
import { contextOf } from "./step-context.ts";

type Message = Readonly<Record<string, unknown>>;

const call = (step: number, messages: readonly Message[], given: Partial<StepView> & { body?: object } = {}) => {
  const { body, ...rest } = given;
  return stepView(step, { kind: "LLM", name: "chat", input: JSON.stringify({ messages, ...body }), ...rest });
};
const system = { role: "system", content: "You answer for a shop of lamps." };
const asked = { role: "user", content: "where is order 7?" };
const calls = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", function: { name: "look_up", arguments: '{"order":7}' } }],
};
const result = { role: "tool", tool_call_id: "c1", content: '{"state":"sent"}' };
const tool = { type: "function", function: { name: "look_up", parameters: {} } };

const shown = (steps: readonly StepView[], number: number) =>
  contextOf(steps, number)!.texts.map(({ status, read: { kind, text } }) => [status, kind, text.slice(0, 12)]);

test("a call after a tool: what the model asked for and its result are new, with the step of the result", () => {
  const steps = [
    call(1, [system, asked], { body: { tools: [tool] } }),
    stepView(2, { name: "look_up", output: '{"state":"sent"}' }),
    call(3, [system, asked, calls, result], { body: { tools: [tool] } }),
  ];
  expect(shown(steps, 3)).toEqual([
    ["kept", "system prompt", "You answer f"],
    ["kept", "tool definition", '{"type":"fun'],
    ["kept", "user message", "where is ord"],
    ["added", "model output", 'look_up({"or'],
    ["added", "result", '{"state":"se'],
  ]);
  const context = contextOf(steps, 3)!;
  expect(context).toMatchObject({ step: 3, before: 1, continues: false });
  expect(context.texts.at(-1)!.read).toMatchObject({ step: 2, name: "look_up" });
  expect(context.length).toBeGreaterThan(context.lengthBefore!);
  expect(contextOf(steps, 1)).toMatchObject({ before: null, lengthBefore: null });
  expect(shown(steps, 1).every(([status]) => status === "added")).toBe(true);
  expect(contextOf(steps, 2)).toBeNull();
});

test("a changed system prompt, a removed tool, messages that were cut away", () => {
  const later = { role: "system", content: "You answer for a shop of chairs." };
  const steps = [
    call(1, [system, asked, calls, result], { body: { tools: [tool] } }),
    call(2, [later, calls, result, { role: "user", content: "and order 8?" }]),
  ];
  expect(shown(steps, 2)).toEqual([
    ["changed", "system prompt", "You answer f"],
    ["removed", "tool definition", '{"type":"fun'],
    ["removed", "user message", "where is ord"],
    ["kept", "model output", 'look_up({"or'],
    ["kept", "result", '{"state":"se'],
    ["added", "user message", "and order 8?"],
  ]);
  expect(contextOf(steps, 2)!.texts[0]!.was).toBe("You answer for a shop of lamps.");
});

test("texts with little in common are no versions of one another", () => {
  const steps = [call(1, [asked, calls]), call(2, [{ role: "user", content: "sing me a song, please" }, calls])];
  expect(shown(steps, 2).map(([status]) => status)).toEqual(["added", "removed", "kept"]);
});

test("conversations that run beside one another are kept apart, and attempts of one call have one call before them", () => {
  const other = { role: "user", content: "count the lamps" };
  const steps = [
    call(1, [system, asked]),
    call(2, [system, other]),
    call(3, [system, asked, calls, result], { slot: "llm|1" }),
    call(4, [system, asked, calls, result], { slot: "llm|1", attempt: 1 }),
    call(5, [system, other, calls, result]),
    call(6, [{ role: "user", content: "something else" }]),
  ];
  expect([2, 3, 4, 5, 6].map((step) => contextOf(steps, step)!.before)).toEqual([null, 1, 1, 2, null]);
});

test("a conversation that the provider keeps: what the request leaves out is not removed", () => {
  const input = (body: object) => JSON.stringify(body);
  const steps = [
    stepView(1, {
      kind: "LLM",
      input: input({ instructions: "help", input: "hello" }),
      output: '{"id":"r1","output":[]}',
    }),
    stepView(2, { kind: "LLM", input: input({ input: "unrelated" }), output: '{"id":"r2","output":[]}' }),
    stepView(3, { kind: "LLM", input: input({ instructions: "help", input: "go on", previous_response_id: "r1" }) }),
  ];
  expect(contextOf(steps, 3)).toMatchObject({ before: 1, continues: true });
  expect(shown(steps, 3)).toEqual([
    ["kept", "system prompt", "help"],
    ["added", "user message", "go on"],
  ]);
});

test("whatever changes, the texts of both calls are all there, in their order", () => {
  const text = fc.record({
    kind: fc.constantFrom("user message", "result", "model output"),
    step: fc.constant(null),
    name: fc.constantFrom("", "x"),
    text: fc.constantFrom("a", "b", "c d", "c e", "c d e"),
  }) as fc.Arbitrary<ReadText>;
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), (before, after) => {
      const aligned = alignedTexts(before, after);
      const is = aligned.filter(({ status }) => status !== "removed").map(({ read }) => read);
      const was = aligned.filter(({ status }) => status !== "added");
      expect(is).toEqual(after);
      expect(was.map(({ read, was: old }) => ({ ...read, text: old ?? read.text }))).toEqual(before);
      for (const { status, was: old } of aligned) expect(old !== null).toBe(status === "changed");
      expect(alignedTexts(after, after).every(({ status }) => status === "kept")).toBe(true);
    }),
  );
});
