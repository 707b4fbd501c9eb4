import { expect, test } from "vitest";
import type { StepView } from "../step/step-view.ts";
import { stepView as step } from "../step/step-view.test.fixture.ts";
import { outlineOf } from "./run-outline.ts";

const failing = (n: number, error: string, given: Partial<StepView> = {}) =>
  step(n, { status: "error", error, ...given });
const model = (n: number, asked: string, answered: string) =>
  step(n, {
    kind: "LLM",
    input: JSON.stringify({ messages: [{ role: "user", content: asked }] }),
    output: JSON.stringify({ choices: [{ message: { content: answered } }] }),
  });

test("the question is the first one, the answer the last one", () => {
  expect(outlineOf([model(1, "one?", "1"), step(2, {}), model(3, "two?", "2")], null)).toEqual({
    question: "one?",
    answer: "2",
    cause: null,
  });
  expect(outlineOf([], null)).toEqual({ question: null, answer: null, cause: null });
});

test("the cause is the step whose error the run ended with, else the last that failed for good", () => {
  const steps = [failing(1, "no such order"), failing(2, "timeout")];
  const of = (message: string, given = steps) => outlineOf(given, { class: "Error", message }).cause;
  expect(of("no such order")).toEqual({ step: 1, certain: true });
  expect(of("exit code 1")).toEqual({ step: 2, certain: false });
  expect(of("exit code 1", [step(1, {})])).toBeNull();
  const retried = [failing(1, "busy", { slot: "a" }), step(2, { slot: "a", attempt: 1 })];
  expect(of("exit code 1", retried)).toBeNull();
});
