import { expect, test } from "vitest";
import { nameOfSlot } from "./slot-name.ts";

test.each([
  ["openai.chat|4", "openai.chat"],
  ["step:prep|0", "step:prep"],
  ["http:GET 127.0.0.1:43211|2", "http:GET 127.0.0.1:43211"],
  ["tool:size#0/tool:size|0", "tool:size"],
  ["planner/tool:size#12/tool:size|0", "planner/tool:size"],
  ["tool:plan#1/openai.chat|3", "tool:plan#1/openai.chat"],
  ["branch:a|b/openai.chat|3", "branch:a|b/openai.chat"],
])("%s reads %s", (slot, name) => expect(nameOfSlot(slot)).toBe(name));
