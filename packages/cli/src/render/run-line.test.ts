import { expect, test } from "vitest";
import { stepsLine } from "./run-line.ts";

test("steps for people: one is one, and a run that others made has spans", () => {
  expect(stepsLine({ steps: 1, llm: 1, tools: 0 })).toBe("1 step (1 llm, 0 tools)");
  expect(stepsLine({ steps: 2, llm: 1, tools: 1 })).toBe("2 steps (1 llm, 1 tool)");
  expect(stepsLine({ steps: 0, llm: 1, tools: 1 })).toBe("spans only (1 llm, 1 tool)");
});
